import type { Task } from '@atrium/sdk';
import { Bot, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { Field, TextAreaField } from '../../../ui/forms/field.tsx';
import { fieldErrors, FormDialog } from '../../../ui/forms/form.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { Ago } from '../../../ui/marks/time.tsx';
import { toastError } from '../../../ui/layers/toast.tsx';
import { Picker } from '../../../ui/pickers/picker.tsx';
import { useAssigneeName } from '../assignees.ts';
import { onlyAgents, useAssigneeOptions } from '../pickers/options.tsx';
import { isUnfinished, isWaitingForStart } from '../task-words.ts';
import { useStart } from './mutations.ts';

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
  const { run, assigneeAgent } = task;
  const isWaiting = canWrite && isWaitingForStart(task);
  return (
    <div
      className={cx(
        'flex flex-wrap items-center gap-x-3 gap-y-2',
        isWaiting && 'rounded-lg bg-accent-soft px-3 py-2',
      )}
    >
      <div
        role="status"
        className={cx('text-note text-muted empty:hidden', isWaiting && 'mr-auto')}
      >
        {run && (
          <p>
            {run.agent === 'model' ? 'The model' : nameOf(`@${run.agent}`)} {STATE[run.status]}{' '}
            <Ago at={run.startedAt} />
          </p>
        )}
        {isWaiting && (
          <p dir="auto" className="text-sm text-ink wrap-anywhere">
            Assigned to {nameOf(`@${assigneeAgent}`)}. Start now?
          </p>
        )}
      </div>
      {canWrite && (
        <div className="flex flex-wrap gap-2 empty:hidden">
          {isWaiting && <StartNow task={task} />}
          {run?.status !== 'RUNNING' && (
            <Button size="small" onClick={() => setOpen(true)} {...(!isWaiting && { icon: Bot })}>
              {isWaiting ? 'Start with instructions' : 'Start agent'}
            </Button>
          )}
          {!isWaiting && <TryAgain task={task} />}
        </div>
      )}
      {isOpen && <StartDialog task={task} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** With the task alone, as its assignee understands it. */
function StartNow({ task }: { task: Task }) {
  const start = useStart(task);
  return (
    <Button
      size="small"
      look="primary"
      icon={Bot}
      isBusy={start.isPending}
      onClick={() => start.mutate({}, { onError: toastError })}
    >
      Start now
    </Button>
  );
}

export function StartDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const options = onlyAgents(useAssigneeOptions(task.projectId), 'Whoever answers @model');
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
      <Field label="Agent" error={errors['agent']}>
        {(control) => (
          <Picker
            {...{ options, control }}
            label="Agent"
            look="field"
            value={agent}
            onChange={setAgent}
          />
        )}
      </Field>
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
  const agent = task.run?.agent;
  if (!isUnfinished(task)) return null;
  // `model` is not a slug: whoever answers it is decided in the session.
  const sameAgent = agent && agent !== 'model' ? { agent } : {};
  return (
    <Button
      size="small"
      className="relative z-1 self-start"
      isBusy={start.isPending}
      onClick={() => start.mutate(sameAgent, { onError: toastError })}
      icon={RotateCcw}
    >
      Try again
    </Button>
  );
}
