import type { Project } from '@atrium/sdk';
import { Tabs } from 'radix-ui';
import { SessionList } from './session-list.tsx';

const TAB =
  'min-h-9 border-b-2 border-transparent px-3 text-sm font-medium text-muted hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink';

export function SessionTabs({ project }: { project: Project }) {
  return (
    <Tabs.Root defaultValue="ACTIVE" className="flex flex-col gap-3">
      <h2 className="sr-only">Sessions</h2>
      <Tabs.List aria-label="Sessions" className="flex gap-1 border-b border-line">
        <Tabs.Trigger value="ACTIVE" className={TAB}>
          Active sessions
        </Tabs.Trigger>
        <Tabs.Trigger value="ARCHIVED" className={TAB}>
          Archived
        </Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content value="ACTIVE">
        <SessionList project={project} status="ACTIVE" />
      </Tabs.Content>
      <Tabs.Content value="ARCHIVED">
        <SessionList project={project} status="ARCHIVED" />
      </Tabs.Content>
    </Tabs.Root>
  );
}
