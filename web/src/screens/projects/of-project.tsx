import type { Project } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useProject } from '../../data/queries.ts';
import { cx } from '../../ui/text/cx.ts';
import { Loading } from '../../ui/states/loading.tsx';
import { ProjectMissing } from './project-missing.tsx';

/** Shows something about the project with this slug, once it is known. */
export function OfProject({
  slug,
  children,
}: {
  slug: string;
  children: (project: Project) => ReactNode;
}) {
  const { project, error, refetch } = useProject(slug);
  if (project) return children(project);
  if (project === null) return <ProjectMissing key={slug} slug={slug} />;
  return (
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-6 p-4 sm:p-6">
      <Loading of={{ data: project, error, refetch }} label="Loading project…" />
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
