import type { Task } from '@atrium/sdk';
import { Bot, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { ErrorNote, fieldErrors } from '../../ui/error-note.tsx';
import { SelectField, TextAreaField } from '../../ui/field.tsx';
import { Ago } from '../../ui/time.tsx';
import { toastError } from '../../ui/toast.tsx';
import { useAssigneeName, useAssignees } from './assignees.ts';
import { isUnfinished, sameAgent, useStart } from './use-start.ts';

const STATE = {
  RUNNING: 'is working on it. Started',
  COMPLETED: 'is finished. Started',
  FAILED: 'failed. Started',
  STOPPED: 'was stopped. Started',
};

/** What an agent does or did about the task, and the button that has one work on it. */
export function Run({ task, canWrite }: { task: Task; canWrite: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const nameOf = useAssigneeName();
  const { run } = task;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      {run && (
        <p role="status" className="text-note text-muted">
          {run.agent === 'model' ? 'The model' : nameOf(`@${run.agent}`)} {STATE[run.status]}{' '}
          <Ago at={run.startedAt} />
        </p>
      )}
      {canWrite && run?.status !== 'RUNNING' && (
        <Button size="small" onClick={() => setOpen(true)}>
          <Bot aria-hidden className="size-4" />
          Start agent
        </Button>
      )}
      {canWrite && <TryAgain task={task} />}
      {isOpen && <StartDialog task={task} onClose={() => setOpen(false)} />}
    </div>
  );
}

export function StartDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const { agents } = useAssignees(task.projectId);
  const [agent, setAgent] = useState(task.assigneeAgent ? `@${task.assigneeAgent}` : '');
  const [instructions, setInstructions] = useState('');
  const start = useStart(task);
  const errors = fieldErrors(start.error);
  function submit() {
    const what = instructions.trim();
    const params = { ...(agent && { agent: agent.slice(1) }), ...(what && { instructions: what }) };
    start.mutate(params, { onSuccess: onClose });
  }
  return (
    <Dialog
      title="Start agent"
      description="It gets the title and the description, and answers in the discussion. Then the task moves to In review."
      onClose={onClose}
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <SelectField
          label="Agent"
          error={errors['agent']}
          value={agent}
          onChange={({ target }) => setAgent(target.value)}
        >
          <option value="">Whoever answers @model</option>
          {agents.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </SelectField>
        <TextAreaField
          label="Instructions (optional)"
          error={errors['instructions']}
          maxLength={4_000}
          dir="auto"
          value={instructions}
          onChange={({ target }) => setInstructions(target.value)}
        />
        {start.error && Object.keys(errors).length === 0 && <ErrorNote error={start.error} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={start.isPending}>
            Start agent
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** If the last run failed or was stopped. */
export function TryAgain({ task }: { task: Task }) {
  const start = useStart(task);
  if (!isUnfinished(task)) return null;
  return (
    <Button
      size="small"
      className="relative z-1 self-start"
      isBusy={start.isPending}
      onClick={() => start.mutate(sameAgent(task), { onError: toastError })}
    >
      <RotateCcw aria-hidden className="size-4" />
      Try again
    </Button>
  );
}
