import { defineRoute, type Route } from '../../http/route.ts';
import { presentList } from '../../lists/present.ts';
import { presentView } from './views/present.ts';
import {
  CreateTaskView,
  TaskView,
  TaskViewList,
  TaskViewPath,
  UpdateTaskView,
} from './views/schema.ts';
import { createView, getView, listViews, removeView, updateView } from './views/service.ts';

const viewExample = {
  id: 'cmf3k2v8q000fx5p7h9d4t6wz',
  projectId: 'cmf3k2v8q0001x5p7h9d4t6wz',
  name: 'Mine, this week',
  layout: 'LIST',
  filters: { status: ['TODO', 'IN_PROGRESS'], assignee: ['me'], due: 'WEEK' },
  sort: 'dueOn',
  groupBy: 'STATUS',
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
};
const { name, projectId, filters, sort, groupBy } = viewExample;

const common = { tag: 'Tasks', extension: true, auth: 'user' } as const;
const write = { ...common, scope: 'tasks:write', limit: 'write' } as const;

export const taskViewRoutes: Route[] = [
  defineRoute({
    ...common,
    scope: 'tasks:read',
    limit: 'read',
    operationId: 'listTaskViews',
    method: 'GET',
    path: '/task-views',
    summary: 'List your views of tasks',
    description:
      'In your order. Nobody else sees them. Those of a Project that you no longer belong to are left out.',
    request: {},
    response: TaskViewList,
    example: { response: { items: [viewExample], total: 1 } },
    handler: async (ctx) => presentList(await listViews(ctx), presentView),
  }),
  defineRoute({
    ...write,
    operationId: 'createTaskView',
    method: 'POST',
    path: '/task-views',
    summary: 'Save a view of tasks',
    description: 'Filters, an order and a layout, by a name: of one Project, or of all of yours.',
    request: { body: CreateTaskView },
    mayReplay: async (ctx, _input, shown) => !shown || getView(ctx, shown.id),
    status: 201,
    response: TaskView,
    example: { request: { name, projectId, filters, sort, groupBy }, response: viewExample },
    handler: async (ctx, { body }) => presentView(await createView(ctx, body)),
  }),
  defineRoute({
    ...write,
    operationId: 'updateTaskView',
    method: 'PATCH',
    path: '/task-views/{id}',
    summary: 'Change a view of tasks',
    description:
      'Its name, what it shows, or its place among your views. `filters` replaces all of them.',
    request: { params: TaskViewPath, body: UpdateTaskView },
    response: TaskView,
    example: {
      request: { name: 'Mine', afterViewId: null },
      response: { ...viewExample, name: 'Mine' },
    },
    handler: async (ctx, { params, body }) => presentView(await updateView(ctx, params.id, body)),
  }),
  defineRoute({
    ...write,
    operationId: 'deleteTaskView',
    method: 'DELETE',
    path: '/task-views/{id}',
    summary: 'Delete a view of tasks',
    description: 'The tasks stay as they are.',
    request: { params: TaskViewPath },
    status: 204,
    handler: (ctx, { params }) => removeView(ctx, params.id),
  }),
];
