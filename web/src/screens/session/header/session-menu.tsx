import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  Archive,
  ArchiveRestore,
  Link as LinkIcon,
  LogIn,
  LogOut,
  MessageCircleReply,
  Pencil,
  Pin,
  ScrollText,
  TextSearch,
  UserMinus,
  Users,
  UsersRound,
} from 'lucide-react';
import { useFollowing } from '../../../shared/use-following.ts';
import { isDirect } from '../../../data/direct.ts';
import { useChannel } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { copyText } from '../../../ui/controls/copy-text.ts';
import { MenuItem, MenuRadios, MenuSeparator } from '../../../ui/controls/menu.tsx';
import { toast, toastError } from '../../../ui/layers/toast.tsx';
import { useManages } from '../../../data/manages.ts';
import { linkToSession } from '../links.ts';
import { useRememberSession, useUpdateSession } from '../queries.ts';
import { useSession } from '../session-context.ts';
import { useArchive } from './use-archive.ts';

export type SessionDialog = 'participants' | 'pins' | 'rename' | 'summary';

/** What can be done with a session. Loaded when the menu is opened, or ahead of that. */
export function SessionMenuItems({ onDialog }: { onDialog: (dialog: SessionDialog) => void }) {
  const { slug, session, canWrite } = useSession();
  const isInProject = !isDirect(session);
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
      <MenuItem icon={Pin} onSelect={() => onDialog('pins')}>
        Pinned messages
      </MenuItem>
      <MenuItem icon={Users} onSelect={() => onDialog('participants')}>
        People
      </MenuItem>
      <MenuItem icon={ScrollText} onSelect={() => onDialog('summary')}>
        Summary so far
      </MenuItem>
      {isInProject && <AnswerItem />}
      <EveryoneItem />
      {(isInProject || session.participantUserIds.length > 2) && (
        <MenuItem icon={Pencil} disabled={!canWrite} onSelect={() => onDialog('rename')}>
          Rename
        </MenuItem>
      )}
      <MenuSeparator />
      <LevelItems />
      {isInProject && <FollowItem />}
      {isInProject && <ArchiveItem />}
    </>
  );
}

function AnswerItem() {
  const { session, canWrite } = useSession();
  const { profile } = useWorkspace();
  const { mutateAsync } = useUpdateSession();
  const channel = useChannel(session);
  const isOn = session.answersWithoutMention;
  // Nobody is alone in a session that a chat channel reads.
  const isAlone = !channel && session.participantUserIds.every((id) => id === profile.userId);
  const others = channel ? 'a chat channel reads along' : 'others take part';
  const note = isOn
    ? `It has no effect while ${others}.`
    : `Only for a person who is alone here, and ${others}.`;
  const message = isOn
    ? 'Only messages with a mention are answered'
    : 'Every message is answered while one person is alone here';
  return (
    <MenuItem
      icon={MessageCircleReply}
      disabled={!canWrite || (!isOn && !isAlone)}
      onSelect={() =>
        // The menu is closed by then, and a closed one hears nothing of its mutation.
        void mutateAsync({ answersWithoutMention: !isOn }).then(() => toast(message), toastError)
      }
    >
      <span className="flex min-w-0 flex-col py-1">
        {isOn ? 'Answer only mentions' : 'Answer without a mention'}
        {!isAlone && <span className="text-xs text-muted">{note}</span>}
      </span>
    </MenuItem>
  );
}

const LEVELS = { ALL: 'Everything', MENTIONS: 'Mentions only', NONE: 'Nothing' };

/** What the person is told about. */
function LevelItems() {
  const { slug, session } = useSession();
  const { mutate } = useFollowing(slug);
  if (!session.isFollowed) return null;
  return (
    <MenuRadios
      label="Notify me about"
      options={LEVELS}
      value={session.level}
      onChange={(level) => mutate({ session, follow: { level } })}
    />
  );
}

function FollowItem() {
  const { slug, session } = useSession();
  const { mutate } = useFollowing(slug);
  const { isFollowed } = session;
  return (
    <MenuItem
      icon={isFollowed ? LogOut : LogIn}
      onSelect={() => mutate({ session, follow: isFollowed ? null : {} })}
    >
      {isFollowed ? 'Leave session' : 'Follow session'}
    </MenuItem>
  );
}

/** A private session is for those whom its participants choose. */
function EveryoneItem() {
  const { slug, session, canWrite } = useSession();
  const { client } = useWorkspace();
  const remember = useRememberSession();
  const isManager = useManages(session);
  const { isForEveryone } = session;
  // The menu is gone when the answer comes, so what follows belongs to the mutation itself.
  const { mutate } = useMutation({
    mutationFn: async () =>
      client.sessions.update(slug, session.id, { isForEveryone: !isForEveryone }),
    onSuccess(changed) {
      remember(changed);
      toast(changed.isForEveryone ? 'Everyone in the project follows it now' : CHOSEN);
    },
    onError: toastError,
  });
  if (!isManager || session.access !== 'PROJECT') return null;
  return (
    <MenuItem
      icon={isForEveryone ? UserMinus : UsersRound}
      disabled={!canWrite}
      onSelect={() => mutate()}
    >
      {isForEveryone ? 'No longer for everyone' : 'Make it for everyone'}
    </MenuItem>
  );
}

const CHOSEN = 'From now on, people follow it only if they choose to';

/** Only for people who may. Nothing in an archived project can be changed. */
function ArchiveItem() {
  const { session, project } = useSession();
  const { archive, restore } = useArchive();
  if (!useManages(session) || project?.archivedAt) return null;
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
