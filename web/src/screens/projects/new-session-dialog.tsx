import type { Session } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { keys } from '../../data/query-keys.ts';
import { useProjects } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { Choice } from '../../ui/controls/choice.tsx';
import { TextAreaField, TextField } from '../../ui/forms/field.tsx';
import { SelectField } from '../../ui/forms/select-field.tsx';
import { fieldErrors, FormDialog } from '../../ui/forms/form.tsx';
import { AnswererField } from './answerer-field.tsx';
import { NoProjectDialog } from './no-project-dialog.tsx';
import { ParticipantsField } from './participants-field.tsx';

const ACCESS = { PROJECT: 'Everyone in the project', PARTICIPANTS: 'Private' };

const HINT: Record<Session['access'], string> = {
  PROJECT:
    'Optional: people this concerns, besides you. Everyone else in the project can read and write too.',
  PARTICIPANTS: 'Only they and you can find, read and write in it. Owners and admins can’t either.',
};

interface NewSessionDialogProps {
  /** The project's slug. Undefined if the person has to choose. */
  slug: string | undefined;
  onClose: () => void;
}

export function NewSessionDialog({ slug: given, onClose }: NewSessionDialogProps) {
  const { client, org } = useWorkspace();
  const { data: projects } = useProjects();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState(given);
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [access, setAccess] = useState<Session['access']>('PROJECT');
  const [participantUserIds, setParticipants] = useState<string[]>([]);
  const [agent, setAgent] = useState('');
  const project = projects?.find(({ slug }) => slug === chosen) ?? projects?.[0];
  const slug = project?.slug ?? '';
  const create = useMutation({
    mutationFn: () =>
      client.sessions.create(slug, {
        name,
        description: description.trim() || null,
        access,
        participantUserIds,
        defaultAgent: agent || null,
      }),
    onSuccess: ({ id }) => {
      void queryClient.invalidateQueries({ queryKey: keys.sessions(org.id, slug) });
      onClose();
      void navigate({ to: '/p/$slug/s/$sessionId', params: { slug, sessionId: id } });
    },
  });
  const wrong = fieldErrors(create.error);
  if (projects?.length === 0) return <NoProjectDialog what="session" onClose={onClose} />;
  return (
    <FormDialog
      title="New session"
      description="A session is one conversation between people and agents about one topic."
      action="Start session"
      saving={create}
      problems={wrong}
      isDisabled={slug === ''}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        error={wrong['name']}
        required
        maxLength={120}
        dir="auto"
        placeholder="What is it about?"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField
        label="Project"
        value={slug}
        onChange={(next) => {
          setChosen(next);
          // People and agents in one project may not be in the other.
          setParticipants([]);
          setAgent('');
        }}
        options={projects?.map((option) => ({ value: option.slug, name: option.name })) ?? []}
      />
      <TextAreaField
        label="Description (optional)"
        error={wrong['description']}
        rows={2}
        maxLength={2_000}
        dir="auto"
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <Choice label="Who can read it" options={ACCESS} value={access} onChange={setAccess} />
      <ParticipantsField
        key={slug}
        projectId={project?.id}
        hint={HINT[access]}
        value={participantUserIds}
        onChange={setParticipants}
      />
      <AnswererField
        projectId={project?.id}
        otherwise={project?.defaultAgent ?? null}
        hint="Any other agent answers when you mention it by name."
        error={wrong['defaultAgent']}
        value={agent}
        onChange={setAgent}
      />
    </FormDialog>
  );
}
