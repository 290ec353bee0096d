import type { Task } from '@atrium/sdk';
import { Bot, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { SelectField, TextAreaField } from '../../../ui/forms/field.tsx';
import { fieldErrors, FormDialog } from '../../../ui/forms/form.tsx';
import { Ago } from '../../../ui/marks/time.tsx';
import { toastError } from '../../../ui/layers/toast.tsx';
import { useAssigneeName, useAssignees } from '../assignees.ts';
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
        <Button size="small" onClick={() => setOpen(true)} icon={Bot}>
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
    <FormDialog
      title="Start agent"
      description="It gets the title and the description, and answers in the discussion. Then the task moves to In review."
      action="Start agent"
      saving={start}
      problems={errors}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label="Agent"
        error={errors['agent']}
        value={agent}
        onChange={({ target }) => setAgent(target.value)}
        empty="Whoever answers @model"
        options={agents}
      />
      <TextAreaField
        label="Instructions (optional)"
        error={errors['instructions']}
        maxLength={4_000}
        dir="auto"
        value={instructions}
        onChange={({ target }) => setInstructions(target.value)}
      />
    </FormDialog>
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
      icon={RotateCcw}
    >
      Try again
    </Button>
  );
}
