import type { Agent } from '@atrium/sdk';
import { useState } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useChange } from '../../../data/use-change.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { SelectField } from '../../../ui/forms/select-field.tsx';
import { FormDialog } from '../../../ui/forms/form.tsx';
import { AgentFields } from './agent-fields.tsx';
import { TEMPLATES } from './templates.ts';
import { bodyOf, findProblem, newValues, problemsOf, slugOf, valuesOf } from './values.ts';

interface AgentDialogProps {
  /** The agent to change. A new one if undefined. */
  agent?: Agent;
  onClose: () => void;
  onSaved?: () => void;
}

export function AgentDialog({ agent, onClose, onSaved }: AgentDialogProps) {
  const { isAdmin } = useWorkspace();
  const [values, setValues] = useState(() => (agent ? valuesOf(agent) : newValues(isAdmin)));
  const [start, setStart] = useState('');
  const [wasTried, setTried] = useState(false);
  const saving = useChange({
    send: ({ client }) =>
      agent ? client.agents.update(agent.id, bodyOf(values)) : client.agents.create(bodyOf(values)),
    refetch: keys.agents,
    onDone: () => {
      onClose();
      onSaved?.();
    },
  });
  const missing = findProblem(values);
  const refused = problemsOf(saving.error, slugOf(values));
  const problems = { ...refused, ...(wasTried && missing) };
  function save() {
    setTried(true);
    if (Object.keys(missing).length === 0) saving.mutate();
  }
  return (
    <FormDialog
      width="wide"
      title={agent ? `Edit ${agent.name}` : 'Create agent'}
      description="An agent is a model with a job: your instructions, its tools, its own name."
      action={agent ? 'Save agent' : 'Create agent'}
      saving={saving}
      problems={refused}
      noValidate
      autoComplete="off"
      onSubmit={save}
      onClose={onClose}
    >
      {!agent && (
        <SelectField
          label="Start from"
          value={start}
          onChange={(chosen) => {
            setStart(chosen);
            const template = TEMPLATES.find(({ slug }) => slug === chosen);
            setValues(template ? { ...values, ...template } : newValues(isAdmin));
          }}
          empty="Nothing, I’ll write my own"
          options={TEMPLATES.map(({ slug, name, description }) => ({
            value: slug,
            name: `${name}: ${description}`,
          }))}
        />
      )}
      <AgentFields
        values={values}
        problems={problems}
        onChange={(changes) => setValues({ ...values, ...changes })}
      />
    </FormDialog>
  );
}
