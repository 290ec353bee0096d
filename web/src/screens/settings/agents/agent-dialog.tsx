import type { Agent } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { AgentFields } from './agent-fields.tsx';
import { TEMPLATES } from './templates.ts';
import {
  applyTemplate,
  bodyOf,
  findProblem,
  newValues,
  problemsOf,
  slugOf,
  valuesOf,
} from './values.ts';

interface AgentDialogProps {
  /** The agent to change. A new one if undefined. */
  agent?: Agent;
  onClose: () => void;
  onSaved: (agent: Agent) => void;
}

export function AgentDialog({ agent, onClose, onSaved }: AgentDialogProps) {
  const { client, org, isAdmin } = useWorkspace();
  const queryClient = useQueryClient();
  const [values, setValues] = useState(() => (agent ? valuesOf(agent) : newValues(isAdmin)));
  const [wasTried, setTried] = useState(false);
  const saving = useMutation({
    mutationFn: async () =>
      agent ? client.agents.update(agent.id, bodyOf(values)) : client.agents.create(bodyOf(values)),
    onSuccess: async (saved) => {
      await queryClient.invalidateQueries({ queryKey: keys.agents(org.id) });
      onSaved(saved);
    },
  });
  const missing = findProblem(values);
  const refused = problemsOf(saving.error, slugOf(values));
  const problems = { ...refused, ...(wasTried && missing) };
  function save(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (Object.keys(missing).length === 0) saving.mutate();
  }
  return (
    <Dialog
      width="wide"
      title={agent ? `Edit ${agent.name}` : 'Create agent'}
      description="An agent is a model with a job: your instructions, its tools, its own name."
      onClose={onClose}
    >
      <form noValidate autoComplete="off" className="flex flex-col gap-4" onSubmit={save}>
        {saving.error && Object.keys(refused).length === 0 && <ErrorNote error={saving.error} />}
        {!agent && (
          <SelectField
            label="Start from"
            autoFocus
            defaultValue=""
            onChange={({ target }) => {
              const template = TEMPLATES.find(({ slug }) => slug === target.value);
              setValues(template ? applyTemplate(values, template) : newValues(isAdmin));
            }}
          >
            <option value="">Nothing, I’ll write my own</option>
            {TEMPLATES.map(({ slug, name, description }) => (
              <option key={slug} value={slug}>
                {`${name}: ${description}`}
              </option>
            ))}
          </SelectField>
        )}
        <AgentFields
          values={values}
          problems={problems}
          onChange={(changes) => setValues({ ...values, ...changes })}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={saving.isPending}>
            {agent ? 'Save agent' : 'Create agent'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
