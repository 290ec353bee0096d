import type { Session } from '@atrium/sdk';
import { useNavigate } from '@tanstack/react-router';
import {
  Archive,
  ArchiveRestore,
  Bell,
  BellOff,
  Link as LinkIcon,
  MessageCircleReply,
  Pencil,
  ScrollText,
  TextSearch,
  Users,
} from 'lucide-react';
import { useChannel } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { copyText } from '../../../ui/controls/copy-text.ts';
import { MenuItem, MenuSeparator } from '../../../ui/controls/menu.tsx';
import { toast, toastError } from '../../../ui/layers/toast.tsx';
import { useManages } from '../../../data/manages.ts';
import { linkToSession } from '../links.ts';
import { useUpdateSession } from '../queries.ts';
import { useArchive } from './use-archive.ts';
import { useMute } from './use-mute.ts';

export type SessionDialog = 'participants' | 'rename' | 'summary';

interface SessionMenuItemsProps {
  slug: string;
  session: Session;
  canWrite: boolean;
  isProjectArchived: boolean;
  onDialog: (dialog: SessionDialog) => void;
}

/** What can be done with a session. Loaded when the menu is opened, or ahead of that. */
export function SessionMenuItems(props: SessionMenuItemsProps) {
  const { slug, session, canWrite, isProjectArchived, onDialog } = props;
  const { org } = useWorkspace();
  const navigate = useNavigate();
  return (
    <>
      <MenuItem
        icon={LinkIcon}
        onSelect={() => void copyText(linkToSession(org.id, slug, session.id), 'Link copied')}
      >
        Copy link
      </MenuItem>
      <MenuItem
        icon={TextSearch}
        onSelect={() => void navigate({ to: '/search', search: { session: session.id } })}
      >
        Search in this session
      </MenuItem>
      <MenuItem icon={Users} onSelect={() => onDialog('participants')}>
        Participants
      </MenuItem>
      <MenuItem icon={ScrollText} onSelect={() => onDialog('summary')}>
        Summary so far
      </MenuItem>
      <AnswerItem slug={slug} session={session} canWrite={canWrite} />
      <MuteItem slug={slug} session={session} />
      <MenuItem icon={Pencil} disabled={!canWrite} onSelect={() => onDialog('rename')}>
        Rename
      </MenuItem>
      <ArchiveItem slug={slug} session={session} isProjectArchived={isProjectArchived} />
    </>
  );
}

function AnswerItem({
  slug,
  session,
  canWrite,
}: Pick<SessionMenuItemsProps, 'slug' | 'session' | 'canWrite'>) {
  const { mutate } = useUpdateSession(slug, session);
  const channel = useChannel(session);
  const isOn = session.answersWithoutMention;
  // Nobody is alone in a session that a chat channel reads.
  if (channel && !isOn) return null;
  const message = isOn
    ? 'Only messages with a mention are answered'
    : 'Every message is answered while one person is alone here';
  return (
    <MenuItem
      icon={MessageCircleReply}
      disabled={!canWrite}
      onSelect={() =>
        mutate(
          { answersWithoutMention: !isOn },
          { onSuccess: () => toast(message), onError: toastError },
        )
      }
    >
      {isOn ? 'Answer only mentions' : 'Answer without a mention'}
    </MenuItem>
  );
}

function MuteItem({ slug, session }: Pick<SessionMenuItemsProps, 'slug' | 'session'>) {
  const setMuted = useMute(slug, session);
  const Icon = session.muted ? Bell : BellOff;
  return (
    <MenuItem icon={Icon} onSelect={() => setMuted(!session.muted)}>
      {session.muted ? 'Unmute session' : 'Mute session'}
    </MenuItem>
  );
}

/** Only for people who may. Nothing in an archived project can be changed. */
function ArchiveItem({
  slug,
  session,
  isProjectArchived,
}: Pick<SessionMenuItemsProps, 'slug' | 'session' | 'isProjectArchived'>) {
  const { archive, restore } = useArchive(slug, session);
  if (!useManages(session) || isProjectArchived) return null;
  return (
    <>
      <MenuSeparator />
      {session.archivedAt ? (
        <MenuItem icon={ArchiveRestore} onSelect={restore}>
          Restore session
        </MenuItem>
      ) : (
        <MenuItem icon={Archive} onSelect={archive}>
          Archive session
        </MenuItem>
      )}
    </>
  );
}
