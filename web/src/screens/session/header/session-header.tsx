import { Link } from '@tanstack/react-router';
import { Ellipsis, Pin } from 'lucide-react';
import { useState } from 'react';
import { isDirect, useSessionName } from '../../../data/direct.ts';
import { useFollowing } from '../../../shared/use-following.ts';
import { useChannel } from '../../../data/queries.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { Menu } from '../../../ui/controls/menu.tsx';
import { usePageTitle } from '../../../ui/pages/page.tsx';
import { closablePart, quietPart } from '../../../ui/layers/part-boundary.tsx';
import { LockMark } from '../../../ui/marks/lock-mark.tsx';
import { useSession } from '../session-context.ts';
import { DirectPeople } from './direct-people.tsx';
import { Description } from './description.tsx';
import { ModelMenu } from './model-menu.tsx';
import { Participants } from './participants.tsx';
import type { SessionDialog } from './session-menu.tsx';

// Not part of the first page. Loaded ahead or on demand.
const RenameDialog = closablePart(() => import('./dialogs.tsx'), 'RenameDialog');
const PinsDialog = closablePart(() => import('./pins-dialog.tsx'), 'PinsDialog');
const SummaryDialog = closablePart(() => import('./summary-dialog.tsx'), 'SummaryDialog');
const ParticipantsDialog = closablePart(
  () => import('./participants-dialog.tsx'),
  'ParticipantsDialog',
);
const SessionMenuItems = quietPart(() => import('./session-menu.tsx'), 'SessionMenuItems');
const ChannelNote = quietPart(() => import('./channel-note.tsx'), 'ChannelNote');
const OfTask = quietPart(() => import('./of-task.tsx'), 'OfTask');

/** Writing follows too. This is for those who only want to read. */
function FollowButton() {
  const { slug, session } = useSession();
  const { mutate, isPending } = useFollowing(slug);
  return (
    <Button size="small" isBusy={isPending} onClick={() => mutate({ session, follow: {} })}>
      Follow
    </Button>
  );
}

function ProjectLink() {
  const { slug, project } = useSession();
  return (
    <Link
      to="/p/$slug"
      params={{ slug }}
      dir="auto"
      className="inline-flex min-h-6 max-w-full items-center self-start truncate text-note text-muted hover:text-ink hover:underline"
    >
      {project?.name ?? slug}
    </Link>
  );
}

export function SessionHeader() {
  const { session } = useSession();
  const channel = useChannel(session);
  const [dialog, setDialog] = useState<SessionDialog | null>(null);
  const closeDialog = () => setDialog(null);
  const title = useSessionName()(session);
  usePageTitle(title);
  return (
    <header className="flex items-center gap-2 border-b border-line bg-surface px-3 py-2 sm:px-6">
      <div className="flex min-w-0 flex-1 flex-col">
        {isDirect(session) ? <DirectPeople session={session} /> : <ProjectLink />}
        <div className="flex min-w-0 items-center gap-1.5">
          {!isDirect(session) && <LockMark session={session} />}
          <h1
            dir="auto"
            title={title}
            className="truncate text-left text-base leading-tight font-semibold"
          >
            {title}
          </h1>
        </div>
        {session.taskId && <OfTask />}
        {session.description && <Description text={session.description} />}
      </div>
      {channel && <ChannelNote channel={channel} />}
      {!session.isFollowed && !session.archivedAt && <FollowButton />}
      <Participants onOpen={() => setDialog('participants')} />
      <IconButton
        label="Pinned messages"
        icon={Pin}
        className="max-sm:hidden"
        onClick={() => setDialog('pins')}
      />
      <ModelMenu />
      <Menu trigger={<IconButton label="Session actions" icon={Ellipsis} iconClass="size-5" />}>
        <SessionMenuItems onDialog={setDialog} />
      </Menu>
      {dialog === 'participants' && <ParticipantsDialog onClose={closeDialog} />}
      {dialog === 'pins' && <PinsDialog onClose={closeDialog} />}
      {dialog === 'summary' && <SummaryDialog onClose={closeDialog} />}
      {dialog === 'rename' && <RenameDialog onClose={closeDialog} />}
    </header>
  );
}
