import { useAgentsIn, useModels } from '../../data/queries.ts';
import { Options, SelectField } from '../../ui/forms/field.tsx';

interface AnswererFieldProps {
  projectId: string | undefined;
  /** The slug of who answers if nobody is chosen here. Null: the server's default. */
  otherwise?: string | null;
  hint: string;
  error: string | undefined;
  /** A slug, or empty for the default. */
  value: string;
  onChange: (slug: string) => void;
}

/** Chooses who answers `@model`: an agent of the project, a model, or whoever answers by default. */
export function AnswererField({
  projectId,
  otherwise,
  value,
  onChange,
  ...rest
}: AnswererFieldProps) {
  const { data: models } = useModels();
  const agents = useAgentsIn(projectId);
  const usual = otherwise ?? models?.find(({ isDefault }) => isDefault)?.slug;
  const label = otherwise ? 'Project default' : 'Server default';
  return (
    <SelectField
      label="Who answers @model"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      {...rest}
    >
      <option value="">{usual ? `${label} (${usual})` : label}</option>
      <Options of={agents.map(({ slug, name }) => [slug, name])} />
      <Options of={models?.map(({ slug }) => [slug, slug]) ?? []} />
    </SelectField>
  );
}
