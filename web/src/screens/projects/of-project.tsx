import type { Project } from '@atrium/sdk';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useProject } from '../../data/queries.ts';
import { cx } from '../../ui/text/cx.ts';
import { Loading } from '../../ui/states/loading.tsx';
import { ProjectMissing } from './project-missing.tsx';
import { PAGE } from '../../ui/pages/page-edge.ts';

interface OfProjectProps {
  /** Reserves the space until the project is known. */
  loading?: ReactNode;
  children: (project: Project) => ReactNode;
}

/** Shows something about the project in the address, once it is known. */
export function OfProject({ loading, children }: OfProjectProps) {
  const { slug = '' } = useParams({ strict: false });
  const { project, error, refetch } = useProject(slug);
  if (project) return children(project);
  if (project === null) return <ProjectMissing key={slug} slug={slug} />;
  return (
    <div className={PAGE}>
      <Loading of={{ data: project, error, refetch }} label="Loading project…">
        {loading}
      </Loading>
    </div>
  );
}

export function ProjectLink({ project: { slug, name } }: { project: Project }) {
  return (
    <Link
      to="/p/$slug"
      params={{ slug }}
      dir="auto"
      className={cx(
        'inline-flex min-h-6 max-w-full items-center truncate text-note text-muted',
        'hover:text-ink hover:underline',
      )}
    >
      {name}
    </Link>
  );
}
