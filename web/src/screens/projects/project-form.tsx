import { AtriumError, type Project } from '@atrium/sdk';
import { useId, useState } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { RadioField, TextAreaField, TextField } from '../../ui/forms/field.tsx';
import { fieldErrors, FormDialog, type Saving } from '../../ui/forms/form.tsx';
import { AnswererField } from './answerer-field.tsx';

export interface ProjectValues {
  name: string;
  description: string | null;
  tags: string[];
  access: Project['access'];
  /** Only of an existing project, which can have agents of its own. */
  defaultAgent?: string | null;
  broadcasts?: Project['broadcasts'];
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
  const [name, setName] = useState(project?.name ?? '');
  const [description, setDescription] = useState(project?.description ?? '');
  const [tags, setTags] = useState(project?.tags.join(', ') ?? '');
  const [access, setAccess] = useState(project?.access ?? 'ORG');
  const [agent, setAgent] = useState(project?.defaultAgent ?? '');
  const [broadcasts, setBroadcasts] = useState(project?.broadcasts ?? 'EVERYONE');
  const problems = problemsOf(saving.error);
  const values = {
    name,
    description: description.trim() || null,
    tags: readTags(tags),
    access,
    ...(project && { defaultAgent: agent || null, broadcasts }),
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
      <AccessField value={access} onChange={setAccess} />
      {project && <BroadcastsField value={broadcasts} onChange={setBroadcasts} />}
    </FormDialog>
  );
}

interface AccessFieldProps {
  value: Project['access'];
  onChange: (access: Project['access']) => void;
}

/** Who has access to a project. */
function AccessField({ value, onChange }: AccessFieldProps) {
  const { org } = useWorkspace();
  const choices = [
    ['ORG', `Everyone in ${org.name}`, 'All members can see it and write in its sessions.'],
    [
      'MEMBERS',
      'Only people you add',
      'Its creator and the organisation’s owners and admins always have access.',
    ],
  ] as const;
  return <Choices label="Who has access" {...{ choices, value, onChange }} />;
}

const BROADCASTERS = [
  ['EVERYONE', 'All members', 'Everybody in the project can notify all followers of a session.'],
  ['ADMINS', 'Only admins', 'The organisation’s owners and admins, and the project’s creator.'],
  ['NOBODY', 'Nobody', 'They notify nobody in this project.'],
] as const;

interface BroadcastsFieldProps {
  value: Project['broadcasts'];
  onChange: (broadcasts: Project['broadcasts']) => void;
}

function BroadcastsField(props: BroadcastsFieldProps) {
  return <Choices label="Who can use @here and @everyone" choices={BROADCASTERS} {...props} />;
}

interface ChoicesProps<Value> {
  label: string;
  choices: readonly (readonly [value: Value, label: string, means: string])[];
  value: Value;
  onChange: (value: Value) => void;
}

/** Each option says what it means. */
function Choices<Value extends string>({ label, choices, value, onChange }: ChoicesProps<Value>) {
  const id = useId();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      {choices.map(([choice, name, means]) => (
        <RadioField
          key={choice}
          name={id}
          label={name}
          hint={means}
          className="rounded-md border border-line p-3 has-checked:border-accent has-checked:bg-accent-soft"
          checked={value === choice}
          onChange={() => onChange(choice)}
        />
      ))}
    </fieldset>
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
  const tags = text.split(',').map((tag) => tag.trim());
  return [...new Set(tags.filter(Boolean))];
}
