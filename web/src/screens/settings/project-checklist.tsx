import { useProjects } from '../../data/queries.ts';
import { ErrorNote } from '../../ui/states/error-note.tsx';
import { CheckboxField } from '../../ui/forms/field.tsx';
import { SkeletonList } from '../../ui/states/skeleton.tsx';

interface ChecklistProps {
  value: readonly string[];
  onChange: (projectIds: string[]) => void;
}

/** Projects to choose from. Those that the person can't see stay chosen. */
export function ProjectChecklist({ value, onChange }: ChecklistProps) {
  const { data: projects, error } = useProjects();
  if (error) return <ErrorNote error={error} />;
  if (!projects) return <SkeletonList rows={3} label="Loading projects…" />;
  const hidden = value.filter((id) => !projects.some((project) => project.id === id)).length;
  return (
    <>
      {projects.length === 0 && <p className="text-sm text-muted">No projects yet.</p>}
      {projects.length > 0 && (
        <fieldset className="flex max-h-72 flex-col gap-2 overflow-y-auto rounded-md border border-line p-3">
          <legend className="sr-only">Projects</legend>
          {projects.map(({ id, name }) => (
            <CheckboxField
              key={id}
              label={name}
              dir="auto"
              className="wrap-anywhere"
              checked={value.includes(id)}
              onChange={({ target }) =>
                onChange(target.checked ? [...value, id] : value.filter((one) => one !== id))
              }
            />
          ))}
        </fieldset>
      )}
      {hidden > 0 && (
        <p className="text-sm text-muted">
          Also available in {hidden === 1 ? 'one project' : `${hidden} projects`} that you can’t see
          here, such as an archived one. That won’t change.
        </p>
      )}
    </>
  );
}
