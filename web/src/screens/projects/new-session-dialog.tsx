import type { Session } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { keys } from '../../data/query-keys.ts';
import { useProjects } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { ErrorNote, fieldErrors } from '../../ui/error-note.tsx';
import { SelectField, TextAreaField, TextField } from '../../ui/field.tsx';
import { AnswererField } from './answerer-field.tsx';
import { NoProjectDialog } from './no-project-dialog.tsx';
import { ParticipantsField } from './participants-field.tsx';

const ACCESS = [
  ['PROJECT', 'Everyone in the project'],
  ['PARTICIPANTS', 'Private'],
] as const;

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
    <Dialog
      title="New session"
      description="A session is one conversation between people and agents about one topic."
      onClose={onClose}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
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
          onChange={(event) => {
            setChosen(event.target.value);
            // People and agents in one project may not be in the other.
            setParticipants([]);
            setAgent('');
          }}
        >
          {projects?.map((option) => (
            <option key={option.id} value={option.slug}>
              {option.name}
            </option>
          ))}
        </SelectField>
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
        {create.error && Object.keys(wrong).length === 0 && <ErrorNote error={create.error} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={create.isPending} disabled={slug === ''}>
            Start session
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
