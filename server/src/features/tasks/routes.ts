import { defineRoute, type Route } from '../../http/route.ts';
import { presentList, presentPage } from '../../lists/present.ts';
import { presentSession } from '../sessions/present.ts';
import { Session } from '../sessions/schema.ts';
import { presentUpdated } from './many/present.ts';
import { setTaskFiles } from './files/service.ts';
import { updateTasks } from './many/service.ts';
import { presentActivity, presentTask } from './present.ts';
import { mayShowTasks } from './replay.ts';
import { openTaskSession, startTask } from './start/service.ts';
import {
  CreateTask,
  DecideProposals,
  ListActivity,
  ListTasks,
  ProjectTasksPath,
  SetTaskFiles,
  StartTask,
  Task,
  TaskActivityList,
  TaskList,
  TaskPage,
  TaskPath,
  UpdatedTaskList,
  UpdateTask,
  UpdateTasks,
} from './schema.ts';
import {
  archiveTask,
  createTask,
  decideProposals,
  getTask,
  listActivity,
  listAllTasks,
  listTasks,
  restoreTask,
  updateTask,
} from './service.ts';

const taskExample = {
  id: 'cmf3k2v8q000bx5p7h9d4t6wz',
  projectId: 'cmf3k2v8q0001x5p7h9d4t6wz',
  number: 12,
  title: 'Compare what others charge',
  description: 'Three competitors are enough.',
  status: 'TODO',
  priority: 'HIGH',
  assigneeUserId: 'cmf3k2v8q0000x5p7h9d4t6wz',
  assigneeAgent: null,
  dueOn: '2027-03-31',
  labels: ['research'],
  parentTaskId: null,
  parentNumber: null,
  subtasks: { total: 0, done: 0 },
  attachments: [],
  sessionId: null,
  sourceMessageId: null,
  run: null,
  createdById: 'cmf3k2v8q0000x5p7h9d4t6wz',
  createdByAgent: null,
  version: 1,
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
  startedAt: null,
  completedAt: null,
  archivedAt: null,
};
const { title, description, priority, assigneeUserId, dueOn, labels } = taskExample;
const changedExample = { ...taskExample, status: 'IN_PROGRESS', version: 2 };
const sessionExample = {
  id: 'cmf3k2v8q000dx5p7h9d4t6wz',
  projectId: taskExample.projectId,
  name: '#12 Compare what others charge',
  title: null,
  description: null,
  defaultAgent: null,
  model: null,
  kind: 'PROJECT',
  access: 'PROJECT',
  participantUserIds: ['cmf3k2v8q0000x5p7h9d4t6wz'],
  taskId: taskExample.id,
  status: 'ACTIVE',
  lastMessageAt: null,
  unreadCount: 0,
  answersWithoutMention: false,
  isForEveryone: false,
  isFollowed: true,
  level: 'ALL',
  muted: false,
  createdById: 'cmf3k2v8q0000x5p7h9d4t6wz',
  createdAt: '2026-11-15T09:32:00.000Z',
  updatedAt: '2026-11-15T09:32:00.000Z',
  archivedAt: null,
};
const startedExample = {
  ...changedExample,
  sessionId: sessionExample.id,
  run: {
    messageId: 'cmf3k2v8q000ex5p7h9d4t6wz',
    agent: 'support',
    status: 'RUNNING',
    startedAt: '2026-11-15T09:33:00.000Z',
  },
  startedAt: '2026-11-15T09:33:00.000Z',
};
const attachmentExample = {
  fileId: 'cmf3k2v8q000fx5p7h9d4t6wz',
  name: 'price-list.pdf',
  mediaType: 'application/pdf',
  size: 48_213,
  status: 'READY',
  image: null,
  pages: 4,
};
const activityExample = {
  id: 'cmf3k2v8q000cx5p7h9d4t6wz',
  taskId: taskExample.id,
  version: 2,
  actorUserId: 'cmf3k2v8q0000x5p7h9d4t6wz',
  actorAgent: null,
  changes: [{ field: 'status', from: 'TODO', to: 'IN_PROGRESS' }],
  createdAt: '2026-11-15T09:31:00.000Z',
};
const pageExample = { items: [taskExample], total: 1, page: 1, limit: 20 };

const TASKS = '/projects/{projectId}/tasks';
const TASK = `${TASKS}/{taskId}`;

const common = { tag: 'Tasks', extension: true, auth: 'user' } as const;
const read = { ...common, scope: 'tasks:read', limit: 'read' } as const;
const write = { ...common, scope: 'tasks:write', limit: 'write' } as const;

export const taskRoutes: Route[] = [
  defineRoute({
    ...read,
    operationId: 'listTasks',
    method: 'GET',
    path: TASKS,
    summary: "List a Project's tasks",
    description:
      'Tasks of every status, subtasks included, unless they are filtered. One column of the board is `status=TODO&limit=50`.',
    isTagged: true,
    request: { params: ProjectTasksPath, query: ListTasks },
    response: TaskPage,
    example: { response: pageExample },
    handler: async (ctx, { params, query }) =>
      presentPage(await listTasks(ctx, params.projectId, query), query, presentTask),
  }),
  defineRoute({
    ...write,
    operationId: 'createTask',
    method: 'POST',
    path: TASKS,
    summary: 'Create a task',
    description:
      'It gets the next number of the Project, and the last place of its column unless `afterTaskId` says otherwise.',
    request: { params: ProjectTasksPath, body: CreateTask },
    mayReplay: (ctx, { params }, shown) =>
      mayShowTasks(ctx, params.projectId, shown ? [shown] : []),
    status: 201,
    response: Task,
    example: {
      request: { title, description, priority, assigneeUserId, dueOn, labels },
      response: taskExample,
    },
    handler: async (ctx, { params, body }) =>
      presentTask(await createTask(ctx, params.projectId, body)),
  }),
  defineRoute({
    ...write,
    operationId: 'decideProposals',
    method: 'POST',
    path: `${TASKS}/proposals`,
    summary: 'Accept or decline proposed tasks',
    description:
      'Decides on several PROPOSED tasks in one step: accepted ones become TODO, declined ones CANCELLED. Tasks that are no longer PROPOSED stay as they are. Returns all of them, by number.',
    request: { params: ProjectTasksPath, body: DecideProposals },
    mayReplay: (ctx, { params }, shown) => mayShowTasks(ctx, params.projectId, shown?.items ?? []),
    response: TaskList,
    example: {
      request: { accept: [taskExample.id], decline: [] },
      response: { items: [{ ...taskExample, version: 2 }], total: 1 },
    },
    handler: async (ctx, { params, body }) =>
      presentList(await decideProposals(ctx, params.projectId, body), presentTask),
  }),
  defineRoute({
    ...read,
    operationId: 'getTask',
    method: 'GET',
    path: TASK,
    summary: 'Get a task',
    description: 'Archived tasks can still be read.',
    request: { params: TaskPath },
    response: Task,
    example: { response: taskExample },
    handler: async (ctx, { params }) => presentTask(await getTask(ctx, params)),
  }),
  defineRoute({
    ...write,
    operationId: 'updateTask',
    method: 'PATCH',
    path: TASK,
    summary: 'Change a task',
    description:
      'Changes anything, including the place on the board. Omitted fields stay as they are, and null clears a field. If `version` is not the current one: 409 with the reason `version_conflict`, and the current record in `details.task`. A task with open subtasks can not become DONE (`subtasks_open`), and a closed one takes no subtasks (`parent_closed`).',
    request: { params: TaskPath, body: UpdateTask },
    response: Task,
    example: {
      request: { status: 'IN_PROGRESS', afterTaskId: null, version: 1 },
      response: changedExample,
    },
    handler: async (ctx, { params, body }) => presentTask(await updateTask(ctx, params, body)),
  }),
  defineRoute({
    ...write,
    operationId: 'updateTasks',
    method: 'PATCH',
    path: TASKS,
    summary: 'Change many tasks',
    description:
      'Up to 100 changes in one step, each as in a PATCH of its task, with `archived` to archive or restore it. Each is checked separately: `error` says why one was refused, and the others still change. Subtasks are closed before their parents, and reopened after them.',
    request: { params: ProjectTasksPath, body: UpdateTasks },
    response: UpdatedTaskList,
    example: {
      request: { changes: [{ taskId: taskExample.id, status: 'IN_PROGRESS' }] },
      response: {
        items: [
          { taskId: taskExample.id, task: changedExample, wasAfterTaskId: null, error: null },
        ],
        total: 1,
      },
    },
    handler: async (ctx, { params, body }) =>
      presentList(await updateTasks(ctx, params.projectId, body), presentUpdated),
  }),
  defineRoute({
    ...write,
    operationId: 'archiveTask',
    method: 'DELETE',
    path: TASK,
    summary: 'Archive a task',
    description:
      'It disappears from the lists, stays readable, and keeps its number and its place. Archiving it again changes nothing.',
    request: { params: TaskPath },
    status: 204,
    handler: (ctx, { params }) => archiveTask(ctx, params),
  }),
  defineRoute({
    ...write,
    operationId: 'restoreTask',
    method: 'POST',
    path: `${TASK}/restore`,
    summary: 'Restore a task',
    description:
      'Undoes an archive: the task is back in its place. Restoring one that is not archived changes nothing.',
    request: { params: TaskPath },
    mayReplay: (ctx, { params }, shown) =>
      mayShowTasks(ctx, params.projectId, shown ? [shown] : []),
    response: Task,
    example: { response: { ...taskExample, version: 3 } },
    handler: async (ctx, { params }) => presentTask(await restoreTask(ctx, params)),
  }),
  defineRoute({
    ...read,
    operationId: 'listTaskActivity',
    method: 'GET',
    path: `${TASK}/activity`,
    summary: "List a task's activity",
    description:
      'Who, or which agent, changed what, from and to. Newest first. Moves within a column are left out.',
    request: { params: TaskPath, query: ListActivity },
    response: TaskActivityList,
    example: { response: { items: [activityExample], nextBefore: null, hasMore: false } },
    async handler(ctx, { params, query }) {
      await getTask(ctx, params);
      const { items, ...rest } = await listActivity(ctx, params.taskId, query);
      return { items: items.map(presentActivity), ...rest };
    },
  }),
  defineRoute({
    ...write,
    operationId: 'setTaskFiles',
    method: 'PUT',
    path: `${TASK}/files`,
    summary: "Set a task's files",
    description:
      'Replaces the files of the task. They are files of the Project that the caller may read, CHECKING or READY; those that the task has already may stay, whatever their status. Every member of the Project can then read them. A file that is still UPLOADING, FAILED or REFUSED: 409 with the reason `file_not_ready`.',
    request: { params: TaskPath, body: SetTaskFiles },
    response: Task,
    example: {
      request: { fileIds: [attachmentExample.fileId] },
      response: { ...taskExample, attachments: [attachmentExample], version: 2 },
    },
    handler: async (ctx, { params, body }) => presentTask(await setTaskFiles(ctx, params, body)),
  }),
  defineRoute({
    ...write,
    operationId: 'openTaskSession',
    method: 'PUT',
    path: `${TASK}/session`,
    summary: 'Open the session of a task',
    description:
      'The session where the task is discussed. The first call creates it, and later ones return it. It is not in the list of sessions.',
    request: { params: TaskPath },
    response: Session,
    example: { response: sessionExample },
    handler: async (ctx, { params }) => presentSession(await openTaskSession(ctx, params)),
  }),
  defineRoute({
    ...write,
    operationId: 'startTask',
    method: 'POST',
    path: `${TASK}/start`,
    summary: 'Have an agent work on a task',
    description:
      "Posts the request as the caller's message in the task's session, and moves the task to IN_PROGRESS. The reply moves it to IN_REVIEW. If it is FAILED or STOPPED, the task goes back to where it was. If a person moves the task meanwhile, it stays there. One run at a time: 409 with the reason `task_running`.",
    moreScopes: ['messages:write'],
    request: { params: TaskPath, body: StartTask },
    mayReplay: (ctx, { params }, shown) =>
      mayShowTasks(ctx, params.projectId, shown ? [shown] : []),
    response: Task,
    example: { request: { agent: 'support' }, response: startedExample },
    handler: async (ctx, { params, body }) => presentTask(await startTask(ctx, params, body)),
  }),
  defineRoute({
    ...read,
    operationId: 'listAllTasks',
    method: 'GET',
    path: '/tasks',
    summary: "List tasks of all the caller's Projects",
    description:
      'The same filters as for one Project. What the caller has to do is `assigneeUserId=me&sort=dueOn`. Archived Projects are left out.',
    isTagged: true,
    request: { query: ListTasks },
    response: TaskPage,
    example: { response: pageExample },
    handler: async (ctx, { query }) =>
      presentPage(await listAllTasks(ctx, query), query, presentTask),
  }),
];
