import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { PageCall } from '../page.ts';
import type { Transport } from '../transport.ts';
import type {
  CreateProject,
  ListProjectsParams,
  Project,
  ProjectMember,
  UpdateProject,
} from '../types.ts';

/** Projects: each has its own sessions and memory. */
export class Projects {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Lists the Projects you can see, newest first. Archived Projects are left out. */
  list(params?: ListProjectsParams, options?: RequestOptions): PageCall<Project> {
    return this.#api.path('/projects').list(params, options);
  }

  /** Creates a Project. Its slug is derived from the name and never changes. */
  create(params: CreateProject, options?: RequestOptions): Call<Project> {
    return this.#api.path('/projects').post(params, options);
  }

  /** Gets a Project by id, archived or not. */
  get(projectId: string, options?: RequestOptions): Call<Project> {
    return this.#api.path('/projects/{projectId}', projectId).get(options);
  }

  /** Updates the given fields and keeps the others. Renaming a Project keeps its slug. */
  update(projectId: string, params: UpdateProject, options?: RequestOptions): Call<Project> {
    return this.#api.path('/projects/{projectId}', projectId).patch(params, options);
  }

  /** Archives a Project. It becomes read-only. */
  archive(projectId: string, options?: RequestOptions): Call<void> {
    return this.#api.path('/projects/{projectId}', projectId).delete(options);
  }

  /** Undoes an archive. */
  restore(projectId: string, options?: RequestOptions): Call<Project> {
    return this.#api.path('/projects/{projectId}/restore', projectId).post(undefined, options);
  }

  /** Lists a Project's members. */
  listMembers(projectId: string, options?: RequestOptions): PageCall<ProjectMember> {
    return this.#api.path('/projects/{projectId}/members', projectId).list(undefined, options);
  }

  /** Adds a member of the organisation to a Project. Adding them again changes nothing. */
  addMember(projectId: string, userId: string, options?: RequestOptions): Call<ProjectMember> {
    return this.#api
      .path('/projects/{projectId}/members/{userId}', projectId, userId)
      .put(undefined, options);
  }

  /** Removes a member from a Project. */
  removeMember(projectId: string, userId: string, options?: RequestOptions): Call<void> {
    return this.#api
      .path('/projects/{projectId}/members/{userId}', projectId, userId)
      .delete(options);
  }
}
