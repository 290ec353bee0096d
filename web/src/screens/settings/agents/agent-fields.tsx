import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useIntegrations, useModels } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Choice } from '../../../ui/controls/choice.tsx';
import { CheckboxField, TextAreaField, TextField } from '../../../ui/forms/field.tsx';
import { SelectField } from '../../../ui/forms/select-field.tsx';
import { countCharacters } from '../../../ui/text/count-characters.ts';
import { ProjectChecklist } from '../project-checklist.tsx';
import { AgentPreview } from './preview.tsx';
import { TOOLS, type ToolName } from './tools.ts';
import { LONGEST_INSTRUCTIONS, slugOf, type AgentValues } from './values.ts';

interface FieldsProps {
  values: AgentValues;
  problems: Record<string, string>;
  onChange: (changes: Partial<AgentValues>) => void;
}

export function AgentFields(props: FieldsProps) {
  const { values, problems, onChange } = props;
  const slug = slugOf(values);
  return (
    <>
      <TextField
        label="Name"
        dir="auto"
        maxLength={120}
        placeholder="Support answers"
        error={problems['name']}
        value={values.name}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <TextField
        label="Mention"
        hint={
          <>
            People ask it as <strong className="wrap-anywhere text-ink">@{slug || '…'}</strong>
          </>
        }
        error={problems['slug']}
        maxLength={40}
        spellCheck={false}
        autoCapitalize="none"
        placeholder="support"
        value={slug}
        onChange={({ target }) => onChange({ slug: target.value.toLowerCase().replace(/^@/, '') })}
      />
      <TextField
        label="Description (optional)"
        hint="Shown when people type @."
        dir="auto"
        maxLength={2_000}
        error={problems['description']}
        value={values.description}
        onChange={({ target }) => onChange({ description: target.value })}
      />
      <Instructions {...props} />
      <ModelField {...props} />
      <ToolFields {...props} />
      <ProjectFields {...props} />
      <CheckboxField
        label="Enabled"
        hint="A disabled agent keeps its settings and doesn’t answer."
        checked={values.isEnabled}
        onChange={({ target }) => onChange({ isEnabled: target.checked })}
      />
    </>
  );
}

function Instructions({ values, problems, onChange }: FieldsProps) {
  const [view, setView] = useState<'write' | 'preview'>('write');
  const length = countCharacters(values.instructions);
  return (
    <div className="flex flex-col gap-2">
      <Choice
        label="Instructions"
        isLabelHidden
        options={{ write: 'Write instructions', preview: 'Preview what it sees' }}
        value={view}
        onChange={setView}
      />
      {view === 'write' ? (
        <TextAreaField
          label="Instructions"
          hint={`What it is for and how it answers. ${length.toLocaleString()} of ${LONGEST_INSTRUCTIONS.toLocaleString()} characters.`}
          error={problems['instructions']}
          dir="auto"
          rows={10}
          className="max-h-[50dvh] min-h-40"
          value={values.instructions}
          onChange={({ target }) => onChange({ instructions: target.value })}
        />
      ) : (
        <AgentPreview values={values} />
      )}
    </div>
  );
}

function ModelField({ values, problems, onChange }: FieldsProps) {
  const { data: models } = useModels();
  const usable = models?.filter(({ provider }) => provider !== 'builtin') ?? [];
  const usual = models?.find(({ isDefault }) => isDefault);
  const isLacking = models !== undefined && usable.length === 0;
  return (
    <SelectField
      label="Model"
      hint={isLacking && <NoModelYet />}
      error={problems['model']}
      value={values.model}
      onChange={(model) => onChange({ model })}
      empty={`Default model${usual ? ` (${usual.slug})` : ''}`}
      options={usable.map(({ slug }) => ({ value: slug, name: slug }))}
    />
  );
}

function NoModelYet() {
  const { org } = useWorkspace();
  return (
    <>
      There is no model yet, so agents can’t answer.{' '}
      <Link to="/settings/models" className="text-accent underline">
        {org.role === 'OWNER' ? 'Add one in Models' : 'See Models'}
      </Link>
    </>
  );
}

function ToolFields({ values, problems, onChange }: FieldsProps) {
  const { data: servers = [] } = useIntegrations();
  const { tools, mcpServerIds } = values;
  const problem = problems['tools'] ?? problems['mcpServerIds'];
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">Tools</legend>
      {Object.entries(TOOLS).map(([name, { label, hint }]) => (
        <CheckboxField
          key={name}
          label={label}
          hint={hint}
          checked={tools.includes(name as ToolName)}
          onChange={({ target }) =>
            onChange({ tools: toggle(tools, name as ToolName, target.checked) })
          }
        />
      ))}
      {servers.map(({ id, displayName, mentionSlug }) => (
        <CheckboxField
          key={id}
          label={displayName}
          hint={`The tools of the integration @${mentionSlug}, in the projects it is available in.`}
          className="wrap-anywhere"
          checked={mcpServerIds.includes(id)}
          onChange={({ target }) =>
            onChange({ mcpServerIds: toggle(mcpServerIds, id, target.checked) })
          }
        />
      ))}
      {problem && <p className="text-note text-danger">{problem}</p>}
    </fieldset>
  );
}

function ProjectFields({ values, problems, onChange }: FieldsProps) {
  const { isAdmin } = useWorkspace();
  const { isEverywhere, projectIds } = values;
  return (
    <div className="flex flex-col gap-2">
      {isAdmin || isEverywhere ? (
        <Choice
          label="Answers in"
          options={{ all: 'Every project', some: 'Only these projects' }}
          value={isEverywhere ? 'all' : 'some'}
          onChange={(choice) => onChange({ isEverywhere: choice === 'all' })}
        />
      ) : (
        <p className="text-sm font-medium">
          Answers in
          <span className="block text-note font-normal text-muted">
            Only owners and admins can make an agent for every project.
          </span>
        </p>
      )}
      {!isEverywhere && (
        <ProjectChecklist
          value={projectIds}
          onChange={(chosen) => onChange({ projectIds: chosen })}
        />
      )}
      {problems['projectIds'] && (
        <p role="alert" className="text-note text-danger">
          {problems['projectIds']}
        </p>
      )}
    </div>
  );
}

function toggle<T>(values: readonly T[], value: T, isOn: boolean): T[] {
  return isOn ? [...values, value] : values.filter((one) => one !== value);
}
