import type { Task } from '@atrium/sdk';
import { Archive, X } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { usePickerKeys } from '../../../ui/pickers/use-picker-keys.ts';
import { assigneeOf, assignTo, useAssigneeName } from '../assignees.ts';
import {
  AssigneePicker,
  DuePicker,
  LabelsPicker,
  PriorityPicker,
  StatusPicker,
} from '../pickers/task-pickers.tsx';
import { STATUS, type Status } from '../statuses.ts';
import { dueInWords, PRIORITY, type Priority } from '../task-words.ts';
import type { useChangeMany } from './use-change-many.ts';

const KEYS = { s: 'status', a: 'assignee', p: 'priority', l: 'labels', d: 'due' } as const;

/** What a button says if the tasks differ. */
const MIXED = { value: '', name: 'different' };

interface BulkBarProps {
  tasks: readonly Task[];
  change: ReturnType<typeof useChangeMany>;
  onClear: () => void;
}

/** What can be changed for all selected tasks at once. Each button shows what they have in common. */
export function BulkBar({ tasks, change, onClear }: BulkBarProps) {
  const { bind } = usePickerKeys(KEYS);
  const assigneeName = useAssigneeName();
  const send = (done: string, of: Parameters<typeof change.mutate>[0]['change']) =>
    change.mutate({ tasks, change: of, done });
  const projectIds = new Set(tasks.map(({ projectId }) => projectId));
  const [projectId] = projectIds;
  return (
    <div
      role="toolbar"
      aria-label="Change selected tasks"
      className="pointer-events-none sticky bottom-3 z-3 flex justify-center"
    >
      <div className="pointer-events-auto flex max-w-full flex-wrap items-center gap-1 rounded-xl border border-line bg-raised p-1.5 shadow-xl transition duration-150 motion-reduce:transition-none starting:translate-y-2 starting:opacity-0">
        <span role="status" className="pl-2 text-sm font-medium whitespace-nowrap">
          {tasks.length} selected
        </span>
        <IconButton label="Clear selection (Esc)" icon={X} onClick={onClear} />
        <StatusPicker
          look="chip"
          {...bind('status')}
          known={MIXED}
          value={common(tasks, ({ status }) => status) ?? ('' as Status)}
          onChange={(status) => send(`moved to ${STATUS[status]}`, () => ({ status }))}
        >
          Status
        </StatusPicker>
        {/* Who can be assigned depends on the project. */}
        {projectIds.size === 1 && projectId && (
          <AssigneePicker
            look="chip"
            projectId={projectId}
            {...bind('assignee')}
            known={common(tasks, assigneeOf) === undefined ? MIXED : undefined}
            value={common(tasks, assigneeOf) ?? '?'}
            onChange={(value) =>
              send(value ? `assigned to ${assigneeName(value)}` : 'assigned to nobody', () =>
                assignTo(value),
              )
            }
          >
            Assignee
          </AssigneePicker>
        )}
        <PriorityPicker
          look="chip"
          {...bind('priority')}
          known={MIXED}
          value={common(tasks, ({ priority }) => priority) ?? ('' as Priority)}
          onChange={(priority) =>
            send(`changed: priority ${PRIORITY[priority]}`, () => ({ priority }))
          }
        >
          Priority
        </PriorityPicker>
        {projectIds.size === 1 && projectId && (
          <Labels tasks={tasks} projectId={projectId} send={send} opening={bind('labels')} />
        )}
        <DuePicker
          look="chip"
          {...bind('due')}
          // Different days are no day, and not the choice of none.
          value={tasks.length === 1 ? (tasks[0]?.dueOn ?? null) : ''}
          status="DONE"
          onChange={(dueOn) =>
            send(dueOn ? `due ${dueInWords(dueOn)}` : 'without a due date', () => ({ dueOn }))
          }
        >
          Due
        </DuePicker>
        <Button
          size="small"
          look="quiet"
          icon={Archive}
          isBusy={change.isPending}
          onClick={() => send('archived', () => ({ archived: true }))}
        >
          Archive
        </Button>
      </div>
    </div>
  );
}

interface LabelsProps {
  tasks: readonly Task[];
  projectId: string;
  send: (done: string, change: (task: Task) => { labels: string[]; version: number }) => void;
  opening: {
    open: boolean;
    onOpenChange: (isOpen: boolean) => void;
    shortcut: string | undefined;
  };
}

/** Labels that all have are checked. One that is added or removed is sent when the list is closed. */
function Labels({ tasks, projectId, send, opening }: LabelsProps) {
  const shared = tasks
    .map(({ labels }) => labels)
    .reduce((some, labels) => some.filter((one) => labels.includes(one)));
  const [chosen, setChosen] = useState<string[]>();
  function close(isOpen: boolean) {
    opening.onOpenChange(isOpen);
    if (isOpen || !chosen) return;
    setChosen(undefined);
    const added = chosen.filter((label) => !shared.includes(label));
    const removed = shared.filter((label) => !chosen.includes(label));
    if (added.length + removed.length === 0) return;
    send('labelled', ({ labels, version }) => ({
      labels: [...new Set([...labels, ...added])].filter((label) => !removed.includes(label)),
      version,
    }));
  }
  return (
    <LabelsPicker
      look="chip"
      projectId={projectId}
      {...opening}
      onOpenChange={close}
      value={chosen ?? shared}
      onChange={setChosen}
    >
      Labels
    </LabelsPicker>
  );
}

/** What all of them have. */
function common<Value>(tasks: readonly Task[], of: (task: Task) => Value): Value | undefined {
  const values = new Set(tasks.map(of));
  const [value] = values;
  return values.size === 1 ? value : undefined;
}
