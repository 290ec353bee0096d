import type { Session } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { lazyPart } from '../../../data/parts.ts';
import { useChannel } from '../../../data/queries.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { Menu } from '../../../ui/controls/menu.tsx';
import { usePageTitle } from '../../../ui/pages/page.tsx';
import { PartBoundary, quietPart } from '../../../ui/layers/part-boundary.tsx';
import { LockMark } from '../../../ui/marks/lock-mark.tsx';
import { useProjectOf } from '../queries.ts';
import { Description } from './description.tsx';
import { ModelMenu } from './model-menu.tsx';
import { Participants } from './participants.tsx';
import type { SessionDialog } from './session-menu.tsx';

// Not part of the first page. Loaded ahead or on demand.
const RenameDialog = lazyPart(() => import('./dialogs.tsx'), 'RenameDialog');
const SummaryDialog = lazyPart(() => import('./summary-dialog.tsx'), 'SummaryDialog');
const ParticipantsDialog = lazyPart(
  () => import('./participants-dialog.tsx'),
  'ParticipantsDialog',
);
const SessionMenuItems = quietPart(() => import('./session-menu.tsx'), 'SessionMenuItems');
const ChannelNote = quietPart(() => import('./channel-note.tsx'), 'ChannelNote');
const OfTask = quietPart(() => import('./of-task.tsx'), 'OfTask');

interface HeaderProps {
  slug: string;
  session: Session;
  canWrite: boolean;
}

export function SessionHeader({ slug, session, canWrite }: HeaderProps) {
  const project = useProjectOf(slug, session);
  const channel = useChannel(session);
  const [dialog, setDialog] = useState<SessionDialog | null>(null);
  const title = session.title ?? session.name;
  usePageTitle(title);
  return (
    <header className="flex items-center gap-2 border-b border-line bg-surface px-3 py-2 sm:px-4">
      <div className="flex min-w-0 flex-1 flex-col">
        <Link
          to="/p/$slug"
          params={{ slug }}
          dir="auto"
          className="inline-flex min-h-6 max-w-full items-center self-start truncate text-note text-muted hover:text-ink hover:underline"
        >
          {project?.name ?? slug}
        </Link>
        <div className="flex min-w-0 items-center gap-1.5">
          <LockMark session={session} />
          <h1
            dir="auto"
            title={title}
            className="truncate text-left text-base leading-tight font-semibold"
          >
            {title}
          </h1>
        </div>
        {session.taskId && (
          <OfTask slug={slug} projectId={session.projectId} taskId={session.taskId} />
        )}
        {session.description && <Description text={session.description} />}
      </div>
      {channel && <ChannelNote slug={slug} channel={channel} />}
      <Participants session={session} onOpen={() => setDialog('participants')} />
      <ModelMenu slug={slug} session={session} canWrite={canWrite} />
      <Menu trigger={<IconButton label="Session actions" icon={Ellipsis} iconClass="size-5" />}>
        <SessionMenuItems
          {...{ slug, session, canWrite }}
          isProjectArchived={!!project?.archivedAt}
          onDialog={setDialog}
        />
      </Menu>
      {dialog && (
        <PartBoundary onClose={() => setDialog(null)}>
          {dialog === 'participants' && (
            <ParticipantsDialog {...{ slug, session, canWrite }} onClose={() => setDialog(null)} />
          )}
          {dialog === 'summary' && (
            <SummaryDialog slug={slug} session={session} onClose={() => setDialog(null)} />
          )}
          {dialog === 'rename' && (
            <RenameDialog slug={slug} session={session} onClose={() => setDialog(null)} />
          )}
        </PartBoundary>
      )}
    </header>
  );
}
