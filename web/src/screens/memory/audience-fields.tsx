import type { Memory, Visibility } from '@atrium/sdk';
import { useId } from 'react';
import { useProjects } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { SelectField } from '../../ui/field.tsx';
import type { MemoryDraft } from './draft.ts';

interface AudienceFieldsProps {
  draft: MemoryDraft;
  memory: Memory | undefined;
  problems: Record<string, string>;
  onChange: (changes: Partial<MemoryDraft>) => void;
}

/** Who can see the memory, with what each option means, and its project. */
export function AudienceFields({ draft, memory, problems, onChange }: AudienceFieldsProps) {
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
          <div key={value} className="flex items-start gap-2.5">
            <input
              id={`${id}-${value}`}
              type="radio"
              name={`${id}-visibility`}
              className="mt-1 size-4 shrink-0 accent-accent-strong"
              aria-describedby={`${id}-${value}-meaning`}
              checked={draft.visibility === value}
              disabled={isBarred}
              onChange={() => onChange({ visibility: value })}
            />
            <div className="min-w-0">
              <label htmlFor={`${id}-${value}`} className="text-sm font-medium">
                {name}
              </label>
              <p id={`${id}-${value}-meaning`} className="text-note text-muted wrap-anywhere">
                {meaning}
              </p>
            </div>
          </div>
        ))}
        {problems['visibility'] && (
          <p id={`${id}-problem`} className="text-note text-danger">
            {problems['visibility']}
          </p>
        )}
      </fieldset>
      {draft.visibility === 'PRIVATE' && (
        <p role="status" className="rounded-md bg-warn-soft p-3 text-sm text-warn">
          Agents never read private memories. If they should know this, choose Project or Everyone.
        </p>
      )}
      <ProjectSelect draft={draft} error={problems['projectId']} onChange={onChange} />
    </div>
  );
}

function ProjectSelect({
  draft,
  error,
  onChange,
}: Pick<AudienceFieldsProps, 'draft' | 'onChange'> & { error: string | undefined }) {
  const { data: projects = [] } = useProjects();
  const isRequired = draft.visibility === 'PROJECT';
  const isListed = projects.some(({ id }) => id === draft.projectId);
  return (
    <SelectField
      label={isRequired ? 'Project' : 'Project (optional)'}
      hint={
        isRequired ? undefined : 'What it’s about, for filters. This doesn’t change who can see it.'
      }
      error={error}
      value={draft.projectId}
      onChange={({ target }) => onChange({ projectId: target.value })}
    >
      <option value="">{isRequired ? 'Choose a project' : 'No project'}</option>
      {draft.projectId !== '' && !isListed && (
        <option value={draft.projectId}>An archived project</option>
      )}
      {projects.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
