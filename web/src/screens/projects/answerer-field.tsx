import { useAgentsIn, useModels } from '../../data/queries.ts';
import { AgentAvatar } from '../../ui/marks/avatar.tsx';
import { SelectField } from '../../ui/forms/select-field.tsx';

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
export function AnswererField({ projectId, otherwise, onChange, ...rest }: AnswererFieldProps) {
  const { data: models } = useModels();
  const agents = useAgentsIn(projectId);
  const usual = otherwise ?? models?.find(({ isDefault }) => isDefault)?.slug;
  const label = otherwise ? 'Project default' : 'Default model';
  return (
    <SelectField
      label="Who answers @model"
      onChange={onChange}
      empty={usual ? `${label} (${usual})` : label}
      options={[
        ...agents.map(({ slug, name }) => ({
          value: slug,
          name,
          icon: <AgentAvatar slug={slug} size="tiny" />,
          about: `@${slug}`,
        })),
        ...(models ?? []).map(({ slug }) => ({
          value: slug,
          name: slug,
          icon: <AgentAvatar slug={slug} size="tiny" />,
        })),
      ]}
      {...rest}
    />
  );
}
