import type { Memory, Visibility } from '@atrium/sdk';
import { useId } from 'react';
import { useProjects } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { RadioField } from '../../ui/forms/field.tsx';
import { SelectField } from '../../ui/forms/select-field.tsx';
import type { MemoryValues } from './memory-values.ts';

interface AudienceFieldsProps {
  values: MemoryValues;
  memory: Memory | undefined;
  problems: Record<string, string>;
  onChange: (changes: Partial<MemoryValues>) => void;
}

/** Who can see the memory, with what each option means, and its project. */
export function AudienceFields({ values, memory, problems, onChange }: AudienceFieldsProps) {
  const id = useId();
  const { org, profile } = useWorkspace();
  const isOthers = memory !== undefined && memory.ownerUserId !== profile.userId;
  const choices: { value: Visibility; name: string; meaning: string; isBarred?: boolean }[] = [
    {
      value: 'PRIVATE',
      name: 'Private',
      meaning: isOthers
        ? 'Only its owner can make it private.'
        : 'Only you can see it. Agents in sessions don’t read it.',
      isBarred: isOthers && memory.visibility !== 'PRIVATE',
    },
    {
      value: 'PROJECT',
      name: 'Project',
      meaning: 'Members of one project can see it, and agents in its sessions read it.',
    },
    {
      value: 'ORG',
      name: 'Everyone',
      meaning: `Everyone in ${org.name} can see it, and agents in all sessions read it.`,
    },
  ];
  return (
    <div className="flex flex-col gap-3">
      <fieldset
        className="flex flex-col gap-2"
        aria-describedby={problems['visibility'] && `${id}-problem`}
        data-invalid={problems['visibility'] ? true : undefined}
      >
        <legend className="mb-1 text-sm font-medium">Who can see it?</legend>
        {choices.map(({ value, name, meaning, isBarred = false }) => (
          <RadioField
            key={value}
            name={`${id}-visibility`}
            label={name}
            hint={meaning}
            checked={values.visibility === value}
            disabled={isBarred}
            onChange={() => onChange({ visibility: value })}
          />
        ))}
        {problems['visibility'] && (
          <p id={`${id}-problem`} className="text-note text-danger">
            {problems['visibility']}
          </p>
        )}
      </fieldset>
      {values.visibility === 'PRIVATE' && (
        <p role="status" className="rounded-md bg-warn-soft p-3 text-sm text-warn">
          Agents never read private memories. If they should know this, choose Project or Everyone.
        </p>
      )}
      <ProjectSelect values={values} error={problems['projectId']} onChange={onChange} />
    </div>
  );
}

function ProjectSelect({
  values,
  error,
  onChange,
}: Pick<AudienceFieldsProps, 'values' | 'onChange'> & { error: string | undefined }) {
  const { data: projects = [] } = useProjects();
  const isRequired = values.visibility === 'PROJECT';
  const isListed = projects.some(({ id }) => id === values.projectId);
  return (
    <SelectField
      label={isRequired ? 'Project' : 'Project (optional)'}
      hint={
        isRequired ? undefined : 'What it’s about, for filters. This doesn’t change who can see it.'
      }
      error={error}
      value={values.projectId}
      onChange={(projectId) => onChange({ projectId })}
      empty={isRequired ? 'Choose a project' : 'No project'}
      options={[
        ...(values.projectId !== '' && !isListed
          ? [{ value: values.projectId, name: 'An archived project' }]
          : []),
        ...projects.map(({ id, name }) => ({ value: id, name })),
      ]}
    />
  );
}
