import type { Session } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import {
  Archive,
  ArchiveRestore,
  Ellipsis,
  Link as LinkIcon,
  Pencil,
  ScrollText,
  Users,
} from 'lucide-react';
import { useState } from 'react';
import { lazyPart } from '../../../data/parts.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx';
import { usePageTitle } from '../../../ui/page.tsx';
import { PartBoundary } from '../../../ui/part-boundary.tsx';
import { copyText } from '../../../ui/copy-text.ts';
import { LockMark } from '../../projects/lock-mark.tsx';
import { useManages } from '../../projects/manages.ts';
import { linkToSession } from '../links.ts';
import { useProjectOf } from '../queries.ts';
import { Description } from './description.tsx';
import { ModelMenu } from './model-menu.tsx';
import { Participants } from './participants.tsx';
import { useArchive } from './use-archive.ts';

// Not part of the first page. Loaded ahead or on demand.
const RenameDialog = lazyPart(async () => (await import('./dialogs.tsx')).RenameDialog);
const SummaryDialog = lazyPart(async () => (await import('./summary-dialog.tsx')).SummaryDialog);
const ParticipantsDialog = lazyPart(
  async () => (await import('./participants-dialog.tsx')).ParticipantsDialog,
);

interface HeaderProps {
  slug: string;
  session: Session;
  canWrite: boolean;
}

const ICON = 'size-4 shrink-0 text-muted';

export function SessionHeader({ slug, session, canWrite }: HeaderProps) {
  const { org } = useWorkspace();
  const project = useProjectOf(slug, session);
  const [dialog, setDialog] = useState<'participants' | 'rename' | 'summary' | null>(null);
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
        {session.description && <Description text={session.description} />}
      </div>
      <Participants session={session} onOpen={() => setDialog('participants')} />
      <ModelMenu slug={slug} session={session} canWrite={canWrite} />
      <Menu
        trigger={
          <IconButton label="Session actions" icon={<Ellipsis aria-hidden className="size-5" />} />
        }
      >
        <MenuItem
          icon={<LinkIcon aria-hidden className={ICON} />}
          onSelect={() => void copyText(linkToSession(org.id, slug, session.id), 'Link copied')}
        >
          Copy link
        </MenuItem>
        <MenuItem
          icon={<Users aria-hidden className={ICON} />}
          onSelect={() => setDialog('participants')}
        >
          Participants
        </MenuItem>
        <MenuItem
          icon={<ScrollText aria-hidden className={ICON} />}
          onSelect={() => setDialog('summary')}
        >
          Summary so far
        </MenuItem>
        <MenuItem
          icon={<Pencil aria-hidden className={ICON} />}
          disabled={!canWrite}
          onSelect={() => setDialog('rename')}
        >
          Rename
        </MenuItem>
        <ArchiveItem slug={slug} session={session} isProjectArchived={!!project?.archivedAt} />
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

interface ArchiveItemProps {
  slug: string;
  session: Session;
  isProjectArchived: boolean;
}

/** Only for people who may. Nothing in an archived project can be changed. */
function ArchiveItem({ slug, session, isProjectArchived }: ArchiveItemProps) {
  const { archive, restore } = useArchive(slug, session);
  if (!useManages(session) || isProjectArchived) return null;
  return (
    <>
      <MenuSeparator />
      {session.archivedAt ? (
        <MenuItem icon={<ArchiveRestore aria-hidden className={ICON} />} onSelect={restore}>
          Restore session
        </MenuItem>
      ) : (
        <MenuItem icon={<Archive aria-hidden className={ICON} />} onSelect={archive}>
          Archive session
        </MenuItem>
      )}
    </>
  );
}
