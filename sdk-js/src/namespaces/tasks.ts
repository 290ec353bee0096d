import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { PageCall } from '../page.ts';
import type { Transport } from '../transport.ts';
import type {
  CreateTask,
  CreateTaskView,
  DecideProposals,
  ListAllTasksParams,
  ListTaskActivityParams,
  ListTasksParams,
  Session,
  SetTaskFiles,
  StartTask,
  Task,
  TaskActivity,
  TaskList,
  TaskView,
  UpdatedTaskList,
  UpdateTask,
  UpdateTasks,
  UpdateTaskView,
} from '../types.ts';

/** Tasks: work in a Project that people and agents share. */
export class Tasks {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Lists a Project's tasks, by column and place unless `sort` says otherwise. */
  list(projectId: string, params?: ListTasksParams, options?: RequestOptions): PageCall<Task> {
    return this.#api.path('/projects/{projectId}/tasks', projectId).list(params, options);
  }

  /** Lists the tasks of all your Projects. `assigneeUserId: 'me'` lists your own. */
  listAll(params?: ListAllTasksParams, options?: RequestOptions): PageCall<Task> {
    return this.#api.path('/tasks').list(params, options);
  }

  /** Creates a task. It gets the next number of the Project. */
  create(projectId: string, params: CreateTask, options?: RequestOptions): Call<Task> {
    return this.#api.path('/projects/{projectId}/tasks', projectId).post(params, options);
  }

  /** Accepts and declines proposed tasks, several at once. */
  decide(
    projectId: string,
    params: DecideProposals = {},
    options?: RequestOptions,
  ): Call<TaskList> {
    return this.#api.path('/projects/{projectId}/tasks/proposals', projectId).post(params, options);
  }

  /** Gets a task by id, archived or not. */
  get(projectId: string, taskId: string, options?: RequestOptions): Call<Task> {
    return this.#api.path('/projects/{projectId}/tasks/{taskId}', projectId, taskId).get(options);
  }

  /** Updates the given fields. With `version`, it fails if the task has changed meanwhile. */
  update(
    projectId: string,
    taskId: string,
    params: UpdateTask,
    options?: RequestOptions,
  ): Call<Task> {
    return this.#api
      .path('/projects/{projectId}/tasks/{taskId}', projectId, taskId)
      .patch(params, options);
  }

  /** Changes up to 100 tasks at once. `error` of an item says why its change was refused. */
  updateMany(
    projectId: string,
    params: UpdateTasks,
    options?: RequestOptions,
  ): Call<UpdatedTaskList> {
    return this.#api.path('/projects/{projectId}/tasks', projectId).patch(params, options);
  }

  /** Archives a task. It keeps its number and its place. */
  archive(projectId: string, taskId: string, options?: RequestOptions): Call<void> {
    return this.#api
      .path('/projects/{projectId}/tasks/{taskId}', projectId, taskId)
      .delete(options);
  }

  /** Undoes an archive. */
  restore(projectId: string, taskId: string, options?: RequestOptions): Call<Task> {
    return this.#api
      .path('/projects/{projectId}/tasks/{taskId}/restore', projectId, taskId)
      .post(undefined, options);
  }

  /** Opens the session where the task is discussed. The first call creates it. */
  openSession(projectId: string, taskId: string, options?: RequestOptions): Call<Session> {
    return this.#api
      .path('/projects/{projectId}/tasks/{taskId}/session', projectId, taskId)
      .put(undefined, options);
  }

  /** Sets the files that the task has: those that are left out are removed from it. */
  setFiles(
    projectId: string,
    taskId: string,
    params: SetTaskFiles,
    options?: RequestOptions,
  ): Call<Task> {
    return this.#api
      .path('/projects/{projectId}/tasks/{taskId}/files', projectId, taskId)
      .put(params, options);
  }

  /** Has an agent work on the task. Its reply moves the task to IN_REVIEW. */
  start(
    projectId: string,
    taskId: string,
    params: StartTask = {},
    options?: RequestOptions,
  ): Call<Task> {
    return this.#api
      .path('/projects/{projectId}/tasks/{taskId}/start', projectId, taskId)
      .post(params, options);
  }

  /** Lists who changed what in a task, newest first. */
  listActivity(
    projectId: string,
    taskId: string,
    params?: ListTaskActivityParams,
    options?: RequestOptions,
  ): PageCall<TaskActivity> {
    return this.#api
      .path('/projects/{projectId}/tasks/{taskId}/activity', projectId, taskId)
      .list(params, options);
  }

  /** Lists your views of tasks, in your order. */
  listViews(options?: RequestOptions): PageCall<TaskView> {
    return this.#api.path('/task-views').list(undefined, options);
  }

  /** Saves a view: filters, an order and a layout, of one Project or of all of yours. */
  createView(params: CreateTaskView, options?: RequestOptions): Call<TaskView> {
    return this.#api.path('/task-views').post(params, options);
  }

  /** Changes a view's name, what it shows, or its place. */
  updateView(id: string, params: UpdateTaskView, options?: RequestOptions): Call<TaskView> {
    return this.#api.path('/task-views/{id}', id).patch(params, options);
  }

  /** Deletes a view. The tasks stay as they are. */
  deleteView(id: string, options?: RequestOptions): Call<void> {
    return this.#api.path('/task-views/{id}', id).delete(options);
  }
}
