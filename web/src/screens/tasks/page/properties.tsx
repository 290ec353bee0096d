import type { Project, Task } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAuthorName, useTaskById } from '../../../data/queries.ts';
import { Ago } from '../../../ui/marks/time.tsx';
import type { usePickerKeys } from '../../../ui/pickers/use-picker-keys.ts';
import { cx } from '../../../ui/text/cx.ts';
import { assigneeOf, assignTo } from '../assignees.ts';
import { useChangeTask } from '../changes/mutations.ts';
import { LabelDot } from '../pickers/options.tsx';
import {
  AssigneePicker,
  DuePicker,
  LabelsPicker,
  PriorityPicker,
  StatusPicker,
} from '../pickers/task-pickers.tsx';

/** The keys that open each property's picker. */
export const PROPERTY_KEYS = {
  s: 'status',
  a: 'assignee',
  p: 'priority',
  l: 'labels',
  d: 'due',
} as const;

type Property = (typeof PROPERTY_KEYS)[keyof typeof PROPERTY_KEYS];

interface PropertiesProps {
  task: Task;
  project: Project;
  canWrite: boolean;
  bind: ReturnType<typeof usePickerKeys<Property>>['bind'];
  /** In a column beside the task. Otherwise in a line. */
  isColumn: boolean;
}

/** What a task has besides its text. Each takes effect at once. */
export function Properties({ task, project, canWrite, bind, isColumn }: PropertiesProps) {
  const change = useChangeTask(task);
  // What was chosen is shown until the server answers.
  const shown = change.isPending ? ({ ...task, ...change.variables } as Task) : task;
  const save = change.mutate;
  const { projectId, labels } = shown;
  const of = (name: Property) => ({
    ...bind(name),
    look: isColumn ? ('row' as const) : ('chip' as const),
    disabled: !canWrite,
  });
  const pickers: [string, ReactNode][] = [
    [
      'Status',
      <StatusPicker
        key="status"
        {...of('status')}
        value={shown.status}
        onChange={(status) => save({ status })}
      />,
    ],
    [
      'Assignee',
      <AssigneePicker
        key="assignee"
        {...of('assignee')}
        projectId={projectId}
        value={assigneeOf(shown)}
        onChange={(value) => save(assignTo(value))}
      />,
    ],
    [
      'Priority',
      <PriorityPicker
        key="priority"
        {...of('priority')}
        value={shown.priority}
        onChange={(priority) => save({ priority })}
      />,
    ],
    [
      'Due date',
      <DuePicker
        key="due"
        {...of('due')}
        status={shown.status}
        value={shown.dueOn}
        onChange={(dueOn) => save({ dueOn })}
      />,
    ],
    [
      'Labels',
      <LabelsPicker
        key="labels"
        {...of('labels')}
        projectId={projectId}
        value={labels}
        onChange={(next) => save({ labels: next })}
      >
        {labels.length > 0 ? <LabelList labels={labels} /> : undefined}
      </LabelsPicker>,
    ],
  ];
  if (!isColumn) {
    return (
      <section aria-label="Properties" className="flex flex-wrap gap-1.5">
        {pickers.map(([, picker]) => picker)}
      </section>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col gap-0.5">
        {pickers.map(([name, picker]) => (
          <Row key={name} name={name}>
            {picker}
          </Row>
        ))}
      </div>
      <Facts task={task} slug={project.slug} />
    </div>
  );
}

function LabelList({ labels }: { labels: readonly string[] }) {
  return (
    <span className="flex min-w-0 flex-wrap gap-1 py-1">
      {labels.map((label) => (
        <span
          key={label}
          className="inline-flex max-w-full items-center gap-1 rounded-full bg-hover px-2 text-note"
        >
          <LabelDot name={label} />
          <span dir="auto" className="truncate">
            {label}
          </span>
        </span>
      ))}
    </span>
  );
}

interface RowProps {
  name: string;
  isFact?: boolean;
  children: ReactNode;
}

function Row({ name, isFact = false, children }: RowProps) {
  return (
    <div className="flex min-h-8 items-start gap-1 text-sm">
      <span aria-hidden={!isFact} className="w-20 shrink-0 py-1.5 text-note text-muted">
        {name}
      </span>
      <div className={cx('min-w-0 flex-1', isFact && 'px-2 py-1.5 wrap-anywhere')}>{children}</div>
    </div>
  );
}

/** What nobody chooses. */
function Facts({ task, slug }: { task: Task; slug: string }) {
  const { data: parent } = useTaskById(task.projectId, task.parentTaskId);
  const authorName = useAuthorName();
  const { createdById: authorUserId, createdByAgent: agentSlug } = task;
  return (
    <div className="flex flex-col border-t border-line pt-3">
      {parent && (
        <Row name="Parent" isFact>
          <Link
            to="/p/$slug/t/$number"
            params={{ slug, number: String(parent.number) }}
            dir="auto"
            className="hover:underline"
          >
            <span className="text-muted">#{parent.number}</span> {parent.title}
          </Link>
        </Row>
      )}
      <Row name="Created" isFact>
        <span dir="auto">{authorName({ authorUserId, agentSlug, externalAuthor: null })}</span>
        <span className="block text-note text-muted">
          <Ago at={task.createdAt} />
        </span>
      </Row>
      <Row name={task.completedAt ? 'Closed' : 'Updated'} isFact>
        <span className="text-note text-muted">
          <Ago at={task.completedAt ?? task.updatedAt} />
        </span>
      </Row>
    </div>
  );
}
