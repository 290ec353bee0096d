import { AtriumError, type Project } from '@atrium/sdk';
import { useState, type ReactNode } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogActions } from '../../ui/dialog.tsx';
import { ErrorNote, fieldErrors } from '../../ui/error-note.tsx';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import { AccessField } from './access-field.tsx';
import { AnswererField } from './answerer-field.tsx';

export interface ProjectValues {
  name: string;
  description: string | null;
  tags: string[];
  access: Project['access'];
  /** Only of an existing project, which can have agents of its own. */
  defaultAgent?: string | null;
}

interface ProjectFormProps {
  project?: Project;
  action: string;
  isBusy: boolean;
  error: Error | null;
  onSubmit: (values: ProjectValues) => void;
  children?: ReactNode;
}

/** A project's fields, for creating and editing one. */
export function ProjectForm({
  project,
  action,
  isBusy,
  error,
  onSubmit,
  children,
}: ProjectFormProps) {
  const { org } = useWorkspace();
  const [name, setName] = useState(project?.name ?? '');
  const [description, setDescription] = useState(project?.description ?? '');
  const [tags, setTags] = useState(project?.tags.join(', ') ?? '');
  const [access, setAccess] = useState(project?.access ?? 'ORG');
  const [agent, setAgent] = useState(project?.defaultAgent ?? '');
  const wrong = fieldErrors(error);
  const isTaken = error instanceof AtriumError && error.reason === 'slug_taken';
  const nameError = isTaken ? takenInWords(error) : wrong['name'];
  const isSaid = isTaken || Object.keys(wrong).length > 0;
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit({
          name,
          description: description.trim() || null,
          tags: readTags(tags),
          access,
          ...(project && { defaultAgent: agent || null }),
        });
      }}
    >
      <TextField
        label="Name"
        hint={project && `Its address stays /p/${project.slug}.`}
        error={nameError}
        required
        maxLength={120}
        dir="auto"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextAreaField
        label="Description (optional)"
        error={wrong['description']}
        rows={3}
        maxLength={2_000}
        dir="auto"
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <TextField
        label="Tags (optional)"
        hint="Up to 20, separated by commas"
        error={wrong['tags']}
        dir="auto"
        value={tags}
        onChange={(event) => setTags(event.target.value)}
      />
      {project && (
        <AnswererField
          projectId={project.id}
          hint="In sessions that choose nobody themselves."
          error={wrong['defaultAgent']}
          value={agent}
          onChange={setAgent}
        />
      )}
      <AccessField org={org.name} value={access} onChange={setAccess} />
      {error && !isSaid && <ErrorNote error={error} />}
      <DialogActions>
        {children}
        <Button type="submit" look="primary" isBusy={isBusy}>
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}

function takenInWords(error: AtriumError): string {
  const { slug } = error.details;
  const address = typeof slug === 'string' ? `The address /p/${slug}` : 'This name’s address';
  return `${address} is taken by another project, possibly an archived one. Choose another name.`;
}

function readTags(text: string): string[] {
  return [
    ...new Set(
      text
        .split(',')
        .map((tag) => tag.trim())
        .filter(Boolean),
    ),
  ];
}
