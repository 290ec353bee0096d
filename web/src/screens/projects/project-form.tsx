import { AtriumError, type Project } from '@atrium/sdk';
import { useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { TextAreaField, TextField } from '../../ui/forms/field.tsx';
import { fieldErrors, FormDialog, type Saving } from '../../ui/forms/form.tsx';
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

interface ProjectDialogProps {
  title: string;
  description?: string;
  action: string;
  project?: Project;
  saving: Saving;
  onSubmit: (values: ProjectValues) => void;
  onClose: () => void;
}

/** A project's fields, for creating and editing one. */
export function ProjectDialog({ project, saving, onSubmit, ...dialog }: ProjectDialogProps) {
  const { org } = useWorkspace();
  const [name, setName] = useState(project?.name ?? '');
  const [description, setDescription] = useState(project?.description ?? '');
  const [tags, setTags] = useState(project?.tags.join(', ') ?? '');
  const [access, setAccess] = useState(project?.access ?? 'ORG');
  const [agent, setAgent] = useState(project?.defaultAgent ?? '');
  const problems = problemsOf(saving.error);
  const values = {
    name,
    description: description.trim() || null,
    tags: readTags(tags),
    access,
    ...(project && { defaultAgent: agent || null }),
  };
  return (
    <FormDialog {...dialog} {...{ saving, problems }} onSubmit={() => onSubmit(values)}>
      <TextField
        label="Name"
        hint={project && `Its address stays /p/${project.slug}.`}
        error={problems['name']}
        required
        maxLength={120}
        dir="auto"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextAreaField
        label="Description (optional)"
        error={problems['description']}
        rows={3}
        maxLength={2_000}
        dir="auto"
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <TextField
        label="Tags (optional)"
        hint="Up to 20, separated by commas"
        error={problems['tags']}
        dir="auto"
        value={tags}
        onChange={(event) => setTags(event.target.value)}
      />
      {project && (
        <AnswererField
          projectId={project.id}
          hint="Used unless a session sets its own."
          error={problems['defaultAgent']}
          value={agent}
          onChange={setAgent}
        />
      )}
      <AccessField org={org.name} value={access} onChange={setAccess} />
    </FormDialog>
  );
}

/** What is wrong with each field. */
function problemsOf(error: unknown): Record<string, string> {
  const isTaken = error instanceof AtriumError && error.reason === 'slug_taken';
  return isTaken ? { name: takenInWords(error) } : fieldErrors(error);
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
