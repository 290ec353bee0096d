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

/** Projects: the containers that a team works in. */
export class Projects {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** The Projects you can see, newest first. Archived ones are left out. */
  list(params?: ListProjectsParams, options?: RequestOptions): PageCall<Project> {
    return this.#api.list('/projects', [], params, options);
  }

  /** Creates a Project. Its slug is made from its name, and never changes. */
  create(params: CreateProject, options?: RequestOptions): Call<Project> {
    return this.#api.call('POST', '/projects', [], params, options);
  }

  /** A Project by its id, archived ones too. */
  get(projectId: string, options?: RequestOptions): Call<Project> {
    return this.#api.call('GET', '/projects/{projectId}', [projectId], undefined, options);
  }

  /** Changes what is given. Renaming keeps the slug. */
  update(projectId: string, params: UpdateProject, options?: RequestOptions): Call<Project> {
    return this.#api.call('PATCH', '/projects/{projectId}', [projectId], params, options);
  }

  /** Archives a Project: it can be read, and takes no changes. */
  archive(projectId: string, options?: RequestOptions): Call<void> {
    return this.#api.call('DELETE', '/projects/{projectId}', [projectId], undefined, options);
  }

  /** Who belongs to a Project. */
  listMembers(projectId: string, options?: RequestOptions): PageCall<ProjectMember> {
    return this.#api.list('/projects/{projectId}/members', [projectId], undefined, options);
  }

  /** Adds a person of the org to a Project. Adding twice is adding once. */
  addMember(projectId: string, userId: string, options?: RequestOptions): Call<ProjectMember> {
    return this.#api.call(
      'PUT',
      '/projects/{projectId}/members/{userId}',
      [projectId, userId],
      undefined,
      options,
    );
  }

  /** Takes a person out of a Project. */
  removeMember(projectId: string, userId: string, options?: RequestOptions): Call<void> {
    return this.#api.call(
      'DELETE',
      '/projects/{projectId}/members/{userId}',
      [projectId, userId],
      undefined,
      options,
    );
  }
}
