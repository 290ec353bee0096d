import type { Project } from '@atrium/sdk';
import type { ReactNode } from 'react';
import { TabLink, TabLinks } from '../../ui/controls/tab-links.tsx';
import { usePageTitle } from '../../ui/pages/page.tsx';

interface ProjectHeaderProps {
  project: Project;
  /** The tab that is open. */
  page: 'Sessions' | 'Tasks' | 'Files' | 'Memory' | 'Channels';
  /** Buttons of this tab. */
  actions?: ReactNode;
  /** More about the project. */
  children?: ReactNode;
}

/** The same on every page of a project: its name, what can be done here, and its tabs. */
export function ProjectHeader({ project, page, actions, children }: ProjectHeaderProps) {
  const { slug, name } = project;
  usePageTitle(page === 'Sessions' ? name : `${page} · ${name}`);
  return (
    <header className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-h-10 min-w-0 flex-col justify-center gap-1 sm:min-h-9">
          <h1 className="text-xl font-semibold wrap-anywhere">
            <bdi>{name}</bdi>
            {page !== 'Sessions' && <span className="sr-only">: {page}</span>}
          </h1>
          {children && <div className="max-w-prose text-sm text-muted">{children}</div>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      <TabLinks label="Project">
        <TabLink to="/p/$slug" params={{ slug }} activeOptions={{ exact: true }}>
          Sessions
        </TabLink>
        <TabLink to="/p/$slug/tasks" params={{ slug }} activeOptions={{ includeSearch: false }}>
          Tasks
        </TabLink>
        <TabLink to="/p/$slug/files" params={{ slug }} activeOptions={{ includeSearch: false }}>
          Files
        </TabLink>
        <TabLink to="/p/$slug/memory" params={{ slug }} activeOptions={{ includeSearch: false }}>
          Memory
        </TabLink>
        <TabLink to="/p/$slug/channels" params={{ slug }}>
          Channels
        </TabLink>
      </TabLinks>
    </header>
  );
}
