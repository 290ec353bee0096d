import { z } from 'zod';
import type { UserContext } from '../../../../core/context.ts';
import { calendarDate, tags, text, title, trimmedText } from '../../../../core/fields.ts';
import { listTasks, proposeTask, updateTask, type TaskRow } from '../../../tasks/service.ts';
import { AGENT_STATUSES, PRIORITIES, STATUSES } from '../../../tasks/status.ts';
import type { CallResult } from '../tools.ts';
import { asAsker } from './asker.ts';
import { defineTool, refused, type ToolPlace } from './tool.ts';

const PRIVATE =
  'Not possible: this session is private, and everyone in the Project could read the task. Someone here can write it.';
const USUAL = 20;
const MOST = 50;
/** Of one task, if it is asked for by its number. Lists have titles only. */
const LONGEST_SHOWN = 4_000;

/** What an agent decides about a task. */
const FIELDS = {
  description: text({ min: 0, max: 20_000 }).optional(),
  priority: z.enum(PRIORITIES).optional(),
  labels: tags().optional(),
  dueOn: calendarDate().optional(),
};
const number = () => z.int().min(1).meta({ description: 'As in #12.' });

export const listTasksTool = defineTool({
  name: 'list_tasks',
  description:
    "Lists this Project's tasks, in the order of the board. Name a number to read one task with its description.",
  input: z.strictObject({
    number: number().optional(),
    status: z.array(z.enum(STATUSES)).optional(),
    query: trimmedText({ max: 200 }).optional(),
    limit: z.int().min(1).max(MOST).default(USUAL),
  }),
  run: (place, input) =>
    forAsker(place, async (ctx) => {
      const { projectId } = place.question;
      const query = { ...input, page: 1, archived: false, sort: 'rank' as const };
      const { items, total } = await listTasks(ctx, projectId, query);
      if (items.length === 0) return done('Nothing was found.');
      const shown = items.map((task) => show(task, input.number !== undefined));
      return done([`${total} found.`, ...shown].join('\n'));
    }),
});

export const createTaskTool = defineTool({
  name: 'create_task',
  description:
    'Proposes a task for this Project. A person accepts or declines it. Propose one piece of work at a time, and only if somebody asks for it in the question, or your instructions say so. Look with list_tasks first, so that nothing is proposed twice.',
  input: z.strictObject({ title: title(), ...FIELDS }),
  run: (place, input) =>
    writing(place, async (ctx) => {
      const { projectId, id: sourceMessageId } = place.question;
      const draft = { ...input, sourceMessageId };
      const { task, isNew } = await proposeTask(ctx, projectId, draft, place.agent.slug);
      if (!isNew) return done(`Not proposed again: it is #${task.number} already.`);
      const note = `Proposed as a task: #${task.number} “${task.title}”`;
      return { ...done(`Proposed as #${task.number}.`), note };
    }),
});

export const updateTaskTool = defineTool({
  name: 'update_task',
  description: `Changes a task of this Project, by its number. An accepted task can be moved to ${AGENT_STATUSES.join(' or ')}. Only people accept and close tasks.`,
  input: z.strictObject({
    number: number(),
    status: z.enum(AGENT_STATUSES).optional(),
    title: title().optional(),
    ...FIELDS,
  }),
  run: (place, { number: wanted, ...changes }) =>
    writing(place, async (ctx) => {
      const { projectId } = place.question;
      const query = { number: wanted, page: 1, limit: 1, archived: false, sort: 'rank' as const };
      const [before] = (await listTasks(ctx, projectId, query)).items;
      if (!before) return refused(`There is no task #${wanted} in this Project.`);
      const path = { projectId, taskId: before.id };
      const task = await updateTask(ctx, path, changes, place.agent.slug);
      if (task.version === before.version) return done('Nothing changed.');
      const note = `Changed the task #${task.number} “${task.title}”`;
      return { ...done(show(task, false)), note };
    }),
});

/** What an agent writes into a task everyone in the Project reads, so nothing of a private session goes there. */
async function writing(
  place: ToolPlace,
  run: (ctx: UserContext) => Promise<CallResult>,
): Promise<CallResult> {
  return place.question.isPrivate ? refused(PRIVATE) : forAsker(place, run);
}

async function forAsker(
  place: ToolPlace,
  run: (ctx: UserContext) => Promise<CallResult>,
): Promise<CallResult> {
  const ctx = await asAsker(place);
  return ctx ? run(ctx) : refused('Not possible: the person who asked has left the organisation.');
}

function show(task: TaskRow, isWhole: boolean): string {
  const { title, status, priority, dueOn, labels } = task;
  const about = [
    status,
    ...(priority === 'NONE' ? [] : [`priority ${priority}`]),
    ...(dueOn === null ? [] : [`due ${dueOn}`]),
    ...(task.assigneeAgent === null ? [] : [`assigned to @${task.assigneeAgent}`]),
    ...labels.map((label) => `label ${label}`),
  ];
  const line = `#${task.number} ${title} (${about.join(', ')})`;
  if (!isWhole) return line;
  const files = task.attachments.map(
    ({ fileId, name, mediaType }) => `File [${fileId}] ${name} (${mediaType})`,
  );
  const description = task.description?.slice(0, LONGEST_SHOWN).toWellFormed();
  return [
    line,
    ...(description ? ['', description] : []),
    ...(files[0] ? ['', ...files] : []),
  ].join('\n');
}

function done(text: string): CallResult {
  return { text, isError: false };
}
