import type { Task } from '@atrium/sdk';
import { SelectField, TextField } from '../../../ui/forms/field.tsx';
import { TagsField } from '../../../ui/forms/tags-field.tsx';
import { AssigneeOptions } from '../assignee-options.tsx';
import { assigneeOf, assignTo } from '../assignees.ts';
import { useChangeTask } from '../changes/mutations.ts';
import { STATUSES, type Status } from '../statuses.ts';
import { PRIORITY, STATUS, type Priority } from '../task-words.ts';

/** Fields that take effect at once. */
export function TaskFields({ task, canWrite }: { task: Task; canWrite: boolean }) {
  const change = useChangeTask(task);
  // What was chosen is shown until the server answers.
  const shown = change.isPending ? ({ ...task, ...change.variables } as Task) : task;
  const assignee = assigneeOf(shown);
  const save = change.mutate;
  return (
    <div className="grid grid-cols-2 gap-3">
      <SelectField
        label="Status"
        disabled={!canWrite}
        value={shown.status}
        onChange={({ target }) => save({ status: target.value as Status })}
        options={STATUSES.map((status) => [status, STATUS[status]])}
      />
      <SelectField
        label="Assignee"
        disabled={!canWrite}
        value={assignee}
        onChange={({ target }) => save(assignTo(target.value))}
      >
        <option value="">Nobody</option>
        <AssigneeOptions projectId={task.projectId} value={assignee} />
      </SelectField>
      <SelectField
        label="Priority"
        disabled={!canWrite}
        value={shown.priority}
        onChange={({ target }) => save({ priority: target.value as Priority })}
        options={Object.entries(PRIORITY)}
      />
      <DueField
        key={task.dueOn}
        dueOn={task.dueOn}
        canWrite={canWrite}
        onChange={(dueOn) => save({ dueOn })}
      />
      <fieldset disabled={!canWrite} className="col-span-2">
        <TagsField
          label="Labels"
          noun="label"
          tags={shown.labels}
          onChange={(labels) => save({ labels })}
        />
      </fieldset>
    </div>
  );
}

interface DueFieldProps {
  dueOn: string | null;
  canWrite: boolean;
  onChange: (dueOn: string | null) => void;
}

/** Takes effect on leaving the field: a date that is typed is complete more than once. */
function DueField({ dueOn, canWrite, onChange }: DueFieldProps) {
  return (
    <TextField
      label="Due date"
      type="date"
      disabled={!canWrite}
      defaultValue={dueOn ?? ''}
      onBlur={({ target }) => {
        const next = target.value || null;
        if (target.validity.valid && next !== dueOn) onChange(next);
      }}
    />
  );
}
