import { z } from 'zod';
import {
  agentSlug,
  calendarDate,
  clearable,
  continuation,
  listOf,
  optional,
  pageOf,
  pageQuery,
  pathId,
  queryFlag,
  queryInteger,
  recordId,
  repeatable,
  tags,
  text,
  timestamp,
  title,
  trimmedText,
} from '../../core/fields.ts';
import { attachments, fileIds } from '../files/attaching/schema.ts';
import { PRIORITIES, RUN_STATUSES, SORTS, STATUSES } from './status.ts';

const Status = z.enum(STATUSES).meta({
  description:
    'The column on the board. Agents create PROPOSED tasks, which people accept or decline, and only people close tasks.',
});
const Priority = z.enum(PRIORITIES);

const RunStatus = z.enum(RUN_STATUSES);

const TaskRun = z
  .object({
    messageId: recordId().meta({ description: "The request, in the task's session." }),
    agent: z.string().meta({ description: 'The name that the request mentions.' }),
    status: RunStatus,
    startedAt: timestamp(),
  })
  .meta({ id: 'TaskRun' });

export const Task = z
  .object({
    id: recordId(),
    projectId: recordId(),
    number: z.int().meta({ description: 'Counts from 1 in each Project, as in `#12`.' }),
    title: z.string(),
    description: z.string().nullable(),
    status: Status,
    priority: Priority,
    assigneeUserId: recordId().nullable(),
    assigneeAgent: z.string().nullable().meta({ description: 'The slug of a model or agent.' }),
    dueOn: z.iso.date().nullable().meta({ description: 'A day, in no particular time zone.' }),
    labels: z.array(z.string()),
    parentTaskId: recordId().nullable(),
    parentNumber: z.int().nullable().meta({ description: 'The number of that task.' }),
    subtasks: z.object({ total: z.int(), done: z.int() }).meta({
      description: '`done` counts those that are DONE or CANCELLED. Archived ones are left out.',
    }),
    attachments: attachments().meta({
      description: 'Its files, in order. Every member of the Project can read them.',
    }),
    sessionId: recordId().nullable().meta({ description: 'Where the task is discussed.' }),
    sourceMessageId: recordId()
      .nullable()
      .meta({ description: 'The message that the task was made from.' }),
    run: TaskRun.nullable().meta({
      description: 'The latest time that an agent was asked to work on the task.',
    }),
    createdById: recordId(),
    createdByAgent: z.string().nullable().meta({
      description:
        'The agent that proposed the task, asked by `createdById`. `mcp`: an MCP client.',
    }),
    version: z.int().meta({ description: 'Grows with every change.' }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    startedAt: timestamp()
      .nullable()
      .meta({ description: 'When it first was IN_PROGRESS or IN_REVIEW.' }),
    completedAt: timestamp().nullable().meta({ description: 'When it became DONE or CANCELLED.' }),
    archivedAt: timestamp().nullable(),
  })
  .meta({ id: 'Task' });

export const TaskPage = pageOf(Task).meta({ id: 'TaskPage' });
export const TaskList = listOf(Task).meta({ id: 'TaskList' });

const description = () => text({ min: 0, max: 20_000 }).meta({ description: 'Markdown.' });
const taskId = () => text({ max: 50 });
const place = 'The task comes right after this one in its column; null: first.';

export const CreateTask = z
  .strictObject({
    title: title(),
    description: optional(description()),
    status: optional(Status).meta({ description: 'Default: TODO.' }),
    priority: optional(Priority).meta({ description: 'Default: NONE.' }),
    assigneeUserId: optional(text({ max: 50 })).meta({ description: 'A member of the Project.' }),
    assigneeAgent: optional(agentSlug()),
    dueOn: optional(calendarDate()),
    labels: optional(tags()),
    parentTaskId: optional(taskId()).meta({ description: 'Makes it a subtask of this task.' }),
    sourceMessageId: optional(text({ max: 50 })).meta({
      description: 'The message of the Project that the task is made from.',
    }),
    afterTaskId: clearable(taskId()).meta({ description: `${place} Default: last.` }),
  })
  .meta({ id: 'CreateTask' });

export const UpdateTask = z
  .strictObject({
    title: optional(title()),
    description: clearable(description()),
    status: optional(Status),
    priority: optional(Priority),
    assigneeUserId: clearable(text({ max: 50 })).meta({
      description: 'A member of the Project, in place of the present assignee.',
    }),
    assigneeAgent: clearable(agentSlug()).meta({
      description: 'A model or an agent of the Project, in place of the present assignee.',
    }),
    dueOn: clearable(calendarDate()),
    labels: clearable(tags()),
    parentTaskId: clearable(taskId()),
    afterTaskId: clearable(taskId()).meta({
      description: `${place} Without it, a task that changes its status becomes the last of its new column.`,
    }),
    version: optional(z.int().min(1)).meta({
      description: 'The version that the change is based on. Default: the current one.',
    }),
  })
  .meta({ id: 'UpdateTask' });

const TaskChange = UpdateTask.extend({
  taskId: taskId(),
  archived: optional(z.boolean()).meta({
    description: 'True archives the task, after its other changes; false restores it first.',
  }),
}).meta({ id: 'TaskChange' });

export const UpdateTasks = z
  .strictObject({ changes: z.array(TaskChange).min(1).max(100) })
  .meta({ id: 'UpdateTasks' });

const UpdatedTask = z
  .object({
    taskId: z.string(),
    task: Task.nullable().meta({ description: 'As it is now. Null if it was refused.' }),
    wasAfterTaskId: recordId().nullable().meta({
      description:
        'The task that it came after in its column before the change; null if it was the first. To undo a move.',
    }),
    error: z
      .object({
        code: z.string(),
        message: z.string(),
        details: z.record(z.string(), z.unknown()),
      })
      .nullable()
      .meta({ description: 'What the same change of this task alone would have been answered.' }),
  })
  .meta({ id: 'UpdatedTask' });

export const UpdatedTaskList = listOf(UpdatedTask).meta({ id: 'UpdatedTaskList' });

export const ListTasks = pageQuery().extend({
  status: repeatable(Status),
  assigneeUserId: z
    .string()
    .optional()
    .meta({ description: "A person's id, or `me` for the caller." }),
  assigneeAgent: z.string().optional().meta({ description: 'The slug of a model or agent.' }),
  assignee: repeatable(z.string().max(70)).meta({
    description:
      "Tasks of any of these: a person's id, `me`, an agent as `@slug`, or `none` for tasks without an assignee.",
  }),
  priority: repeatable(Priority),
  run: repeatable(RunStatus).meta({
    description: 'Only tasks that an agent was asked to work on, by how its latest run ended.',
  }),
  label: z.string().optional(),
  dueBefore: calendarDate().optional().meta({ description: 'Only tasks due before this day.' }),
  parentTaskId: z.string().optional().meta({ description: 'Only the subtasks of this task.' }),
  number: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1')
    .transform(Number)
    .optional()
    .meta({ type: 'integer', minimum: 1, description: 'Only the task with this number.' }),
  query: trimmedText({ max: 200 }).optional().meta({
    description: 'Only tasks whose title or description has words starting with each of these.',
  }),
  archived: queryFlag('Lists archived tasks instead.'),
  sort: z.enum(SORTS).default('rank').meta({
    description:
      'rank: by column, then as people have ordered them. dueOn: earliest first, without a date last. priority: highest first. updatedAt: newest first. Default: rank.',
  }),
});

export const DecideProposals = z
  .strictObject({
    accept: optional(z.array(taskId()).max(100)).meta({ description: 'These become TODO.' }),
    decline: optional(z.array(taskId()).max(100)).meta({ description: 'These become CANCELLED.' }),
  })
  .meta({ id: 'DecideProposals' });

export const StartTask = z
  .strictObject({
    agent: optional(agentSlug()).meta({
      description:
        "The model or agent that works on it. Default: the assignee, if that is one, or the one that answers `@model` in the task's session.",
    }),
    instructions: optional(text({ max: 4_000 })).meta({
      description: 'What to do. Title and description are included anyway.',
    }),
  })
  .meta({ id: 'StartTask' });

export const SetTaskFiles = z
  .strictObject({
    fileIds: fileIds().meta({
      description: 'All files that the task has from now on, in this order.',
    }),
  })
  .meta({ id: 'SetTaskFiles' });

export const TaskActivity = z
  .object({
    id: recordId(),
    taskId: recordId(),
    version: z.int().meta({ description: 'The version that the change made.' }),
    actorUserId: recordId(),
    actorAgent: z.string().nullable().meta({
      description: 'The agent that made the change, asked by `actorUserId`.',
    }),
    changes: z
      .array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() }))
      .meta({ description: 'Long texts are cut. Empty for the entry of the creation.' }),
    createdAt: timestamp(),
  })
  .meta({ id: 'TaskActivity' });

export const TaskActivityList = z
  .object({
    items: z.array(TaskActivity),
    ...continuation('Send it as `before` to get the next, older entries.'),
  })
  .meta({ id: 'TaskActivityList' });

export const ListActivity = z.strictObject({
  before: z.string().optional().meta({ description: 'Only entries older than this one.' }),
  limit: queryInteger({ min: 1, max: 100, fallback: 50, about: 'How many entries.' }),
});

export const ProjectTasksPath = z.object({ projectId: pathId('Project') });
export const TaskPath = ProjectTasksPath.extend({ taskId: pathId('task') });

export type Task = z.output<typeof Task>;
export type TaskActivity = z.output<typeof TaskActivity>;
export type TaskActivityList = z.output<typeof TaskActivityList>;
export type TaskPath = z.output<typeof TaskPath>;
export type CreateTask = z.output<typeof CreateTask>;
export type UpdateTask = z.output<typeof UpdateTask>;
export type UpdateTasks = z.output<typeof UpdateTasks>;
export type ListTasks = z.output<typeof ListTasks>;
export type ListActivity = z.output<typeof ListActivity>;
export type SetTaskFiles = z.output<typeof SetTaskFiles>;
export type StartTask = z.output<typeof StartTask>;
export type DecideProposals = z.output<typeof DecideProposals>;
