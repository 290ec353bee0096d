import { useProjects } from '../../data/queries.ts';
import { Badge } from '../../ui/marks/badge.tsx';

/** Where an integration or an agent answers. */
export function BoundProjects({ projectIds }: { projectIds: readonly string[] }) {
  const { data: projects } = useProjects();
  if (projectIds.length === 0) return 'All projects';
  const seen = projects?.filter(({ id }) => projectIds.includes(id)) ?? [];
  const unseen = projects ? projectIds.length - seen.length : 0;
  return (
    <span className="flex flex-wrap gap-1">
      {seen.map(({ id, name }) => (
        <Badge key={id}>
          <span dir="auto">{name}</span>
        </Badge>
      ))}
      {unseen > 0 && <Badge>{unseen} you can’t see</Badge>}
    </span>
  );
}
