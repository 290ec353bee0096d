import { z } from 'zod';
import {
  clearable,
  listOf,
  name,
  optional,
  pathId,
  recordId,
  text,
  timestamp,
  trimmedText,
} from '../../../core/fields.ts';
import { PRIORITIES, RUN_STATUSES, SORTS, STATUSES } from '../status.ts';

const DUE = ['OVERDUE', 'TODAY', 'WEEK', 'MONTH'] as const;
const GROUPS = ['NONE', 'STATUS', 'ASSIGNEE', 'PRIORITY', 'DUE'] as const;

const status = () => z.array(z.enum(STATUSES)).max(6);
const priority = () => z.array(z.enum(PRIORITIES)).max(5);
const run = () => z.array(z.enum(RUN_STATUSES)).max(4);
const due = () => z.enum(DUE);

/** The filters of a list of tasks, but for days, which depend on when the view is looked at. */
const ABOUT = {
  status: 'Without it, the view shows what is not DONE or CANCELLED.',
  assignee: "People's ids, `me`, agents as `@slug`, or `none`.",
  due: 'Until yesterday, today, or 7 or 30 days from now, on the day it is looked at.',
};

const TaskViewFilters = z
  .object({
    status: status().optional().meta({ description: ABOUT.status }),
    assignee: z.array(z.string()).optional().meta({ description: ABOUT.assignee }),
    priority: priority().optional(),
    run: run().optional(),
    label: z.string().optional(),
    due: due().optional().meta({ description: ABOUT.due }),
    query: z.string().optional(),
  })
  .meta({ id: 'TaskViewFilters' });

const NewTaskViewFilters = z
  .strictObject({
    status: optional(status()).meta({ description: ABOUT.status }),
    assignee: optional(z.array(text({ max: 70 })).max(20)).meta({ description: ABOUT.assignee }),
    priority: optional(priority()),
    run: optional(run()),
    label: optional(trimmedText({ max: 50 })),
    due: optional(due()).meta({ description: ABOUT.due }),
    query: optional(trimmedText({ max: 200 })),
  })
  .meta({ id: 'NewTaskViewFilters' });

const Layout = z.enum(['BOARD', 'LIST']).meta({
  description: 'A board shows one Project.',
});
const Sort = z.enum(SORTS);
const GroupBy = z.enum(GROUPS).meta({ description: 'The headings of a list.' });

export const TaskView = z
  .object({
    id: recordId(),
    projectId: recordId().nullable().meta({ description: 'Null: all Projects of the person.' }),
    name: z.string(),
    layout: Layout,
    filters: TaskViewFilters,
    sort: Sort,
    groupBy: GroupBy,
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'TaskView' });

export const TaskViewList = listOf(TaskView).meta({ id: 'TaskViewList' });

const place = 'The view comes right after this one; null: first.';

export const CreateTaskView = z
  .strictObject({
    name: name(),
    projectId: optional(text({ max: 50 })).meta({
      description: 'A Project of yours. Default: all of them.',
    }),
    layout: optional(Layout).meta({ description: 'Default: LIST.' }),
    filters: optional(NewTaskViewFilters),
    sort: optional(Sort).meta({ description: 'Default: rank.' }),
    groupBy: optional(GroupBy).meta({ description: 'Default: NONE.' }),
    afterViewId: clearable(text({ max: 50 })).meta({ description: `${place} Default: last.` }),
  })
  .meta({ id: 'CreateTaskView' });

export const UpdateTaskView = z
  .strictObject({
    name: optional(name()),
    layout: optional(Layout),
    filters: optional(NewTaskViewFilters).meta({ description: 'In place of all present ones.' }),
    sort: optional(Sort),
    groupBy: optional(GroupBy),
    afterViewId: clearable(text({ max: 50 })).meta({ description: place }),
  })
  .meta({ id: 'UpdateTaskView' });

export const TaskViewPath = z.object({ id: pathId('view') });

export type TaskView = z.output<typeof TaskView>;
export type CreateTaskView = z.output<typeof CreateTaskView>;
export type UpdateTaskView = z.output<typeof UpdateTaskView>;
