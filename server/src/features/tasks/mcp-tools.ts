import { z } from 'zod';
import { optional, trimmedText } from '../../core/fields.ts';
import { CHANGES, page, POSTS, READS, size, WRITES } from '../../mcp-endpoint/tool-parts.ts';
import { defineMcpTool } from '../../mcp-endpoint/tool.ts';
import { presentPage } from '../../lists/present.ts';
import { presentTask } from './present.ts';
import { CreateTask, ListTasks, StartTask, Task, TaskPage, UpdateTask } from './schema.ts';
import { createTask, listTasks, MCP_CLIENT, updateTask } from './service.ts';
import { startTask } from './start/service.ts';
import { AGENT_STATUSES } from './status.ts';

// Whatever calls through MCP has the rights of an agent: it proposes and works, and people decide.

const PROJECT = {
  projectId: z.string().meta({ description: "The Project's id, from list_projects." }),
};
const TASK = {
  ...PROJECT,
  taskId: z.string().meta({ description: "The task's id, from list_tasks." }),
};
const FILTERS = ListTasks.shape;

export const listTasksTool = defineMcpTool({
  name: 'list_tasks',
  title: 'List tasks',
  description:
    "Lists a Project's tasks of every status unless filtered, in the order of the board.",
  scope: 'tasks:read',
  ...READS,
  input: z.strictObject({
    ...PROJECT,
    status: optional(FILTERS.status.unwrap()),
    assigneeUserId: optional(FILTERS.assigneeUserId),
    assigneeAgent: optional(FILTERS.assigneeAgent),
    label: optional(FILTERS.label),
    parentTaskId: optional(FILTERS.parentTaskId),
    dueBefore: optional(FILTERS.dueBefore),
    number: optional(z.int().min(1)),
    query: optional(trimmedText({ max: 200 })),
    sort: optional(FILTERS.sort.unwrap()).transform((value) => value ?? 'rank'),
    page: page(),
    limit: size(20),
  }),
  output: TaskPage,
  async run(ctx, { projectId, ...filters }) {
    const found = await listTasks(ctx, projectId, { ...filters, archived: false });
    return presentPage(found, filters, presentTask);
  },
});

export const createTaskTool = defineMcpTool({
  name: 'create_task',
  title: 'Propose a task',
  description:
    'Proposes a task in a Project, on behalf of the person whose key you use. It is PROPOSED until a person accepts or declines it.',
  scope: 'tasks:write',
  ...WRITES,
  input: CreateTask.omit({ status: true, afterTaskId: true }).extend(PROJECT),
  output: Task,
  run: async (ctx, { projectId, ...task }) =>
    presentTask(await createTask(ctx, projectId, { ...task }, MCP_CLIENT)),
});

export const updateTaskTool = defineMcpTool({
  name: 'update_task',
  title: 'Change a task',
  description: `Changes a task. An accepted task can be moved to ${AGENT_STATUSES.join(' or ')}. Only people accept, close and reopen tasks. Send version to change nothing if somebody else has.`,
  scope: 'tasks:write',
  ...CHANGES,
  input: UpdateTask.extend(TASK),
  output: Task,
  run: async (ctx, { projectId, taskId, ...changes }) =>
    presentTask(await updateTask(ctx, { projectId, taskId }, changes, MCP_CLIENT)),
});

export const startTaskTool = defineMcpTool({
  name: 'start_task',
  title: 'Have an agent work on a task',
  description:
    "Asks an agent to work on an accepted task, in the task's session. Its reply arrives later and moves the task to IN_REVIEW; list_tasks shows it.",
  scope: 'tasks:write',
  moreScopes: ['messages:write'],
  ...POSTS,
  input: StartTask.extend(TASK),
  output: Task,
  run: async (ctx, { projectId, taskId, ...request }) =>
    presentTask(await startTask(ctx, { projectId, taskId }, request, MCP_CLIENT)),
});
