import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { broadcastIn, wordOf, type Broadcast } from '../../../../../server/src/text/group-words.ts';
import { parseMentions } from '../../../../../server/src/text/mentions.ts';
import { useMembers } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { RemindDialog } from '../../../shared/remind-dialog.tsx';
import { useShellActions } from '../../../shared/shell-actions.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../../ui/layers/dialog.tsx';
import { toast, toastDone, toastError } from '../../../ui/layers/toast.tsx';
import { useSession } from '../session-context.ts';
import { findCommand, findSimilar } from './commands/command-table.ts';
import type { Command, Outcome } from './commands/command.ts';
import { readCommand } from './commands/typed-command.ts';
import { useBroadcastRule } from './use-broadcasts.ts';

interface BeforeSendingProps {
  body: string;
  /** It is sent later, so a command can only be a message. */
  isLater: boolean;
  /** It is a message, and may be posted. */
  onPost: () => void;
  /** A command did what the draft says. */
  onDone: () => void;
  /** The draft stays. */
  onClose: () => void;
}

/** Runs a draft that is a command, and asks before a message goes to many people or to the wrong place. */
export function BeforeSending({ body, isLater, ...then }: BeforeSendingProps) {
  const [isMessage, setMessage] = useState(false);
  const typed = isMessage ? undefined : readCommand(body);
  const command = typed && findCommand(typed.name);
  if (typed && command && !isLater) {
    return <RunCommand command={command} args={typed.args} {...then} />;
  }
  if (typed) {
    return (
      <Ask
        title="Post as a message?"
        action="Post message"
        onYes={() => setMessage(true)}
        onClose={then.onClose}
      >
        {command ? 'Commands can’t be sent later.' : sayUnknown(typed.name)} Everybody who can read
        this session would see “/{typed.name}”.
      </Ask>
    );
  }
  return <AskBroadcast body={body} {...then} />;
}

function sayUnknown(name: string): string {
  const similar = findSimilar(name).map((one) => `/${one}`);
  const guess = similar.length > 0 ? ` Did you mean ${similar.join(' or ')}?` : '';
  return `There is no command /${name}.${guess}`;
}

type Then = Pick<BeforeSendingProps, 'onPost' | 'onDone' | 'onClose'>;

interface RunCommandProps extends Omit<Then, 'onPost'> {
  command: Command;
  args: string;
}

function RunCommand({ command, args, onDone, onClose }: RunCommandProps) {
  const { slug, session } = useSession();
  const workspace = useWorkspace();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const shell = useShellActions();
  const { data: members } = useMembers();
  const [remindOf, setRemindOf] = useState<string>();
  function end(outcome: Outcome) {
    if ('problem' in outcome) {
      toast(outcome.problem, 'danger', 'command');
      onClose();
    } else if ('remindOf' in outcome) setRemindOf(outcome.remindOf);
    else {
      if ('said' in outcome) toastDone(outcome.said, outcome);
      onDone();
    }
  }
  useOnce(members !== undefined, async () => {
    const ctx = { workspace, queryClient, navigate, shell, slug, session, now: new Date() };
    try {
      end(await command.run({ ...ctx, members: members ?? [] }, args));
    } catch (error) {
      toastError(error);
      onClose();
    }
  });
  if (remindOf === undefined) return null;
  return <RemindDialog about={{ text: remindOf }} onDone={onDone} onClose={onClose} />;
}

/** More people than this are not told by mistake. */
const MOST_UNASKED = 20;

const WHO: Record<Broadcast, string> = {
  HERE: 'who follow this session and are here now',
  EVERYONE: 'who follow this session',
};

/** Asks before many people are told. Few are told at once. */
function AskBroadcast({ body, onPost, onClose }: { body: string } & Omit<Then, 'onDone'>) {
  const { client } = useWorkspace();
  const { slug, session } = useSession();
  const { isAllowed, isTaken } = useBroadcastRule();
  const [broadcast] = useState(() =>
    isAllowed ? broadcastIn(parseMentions(body, isTaken), isTaken) : null,
  );
  /** Null if the server could not be asked. */
  const [count, setCount] = useState<number | null>();
  useOnce(true, async () => {
    if (!broadcast) return onPost();
    try {
      const reach = await client.sessions.getReach(slug, session.id, { timeout: 5_000 });
      const told = broadcast === 'HERE' ? reach.here : reach.everyone;
      if (told > MOST_UNASKED) setCount(told);
      else onPost();
    } catch {
      setCount(null);
    }
  });
  if (!broadcast || count === undefined) return null;
  return (
    <Ask
      title={count === null ? 'Notify everybody?' : `Notify ${count} people?`}
      action={count === null ? 'Notify them' : `Notify ${count} people`}
      onYes={onPost}
      onClose={onClose}
    >
      @{wordOf(broadcast)} notifies {count === null ? 'all' : `the ${count}`} people{' '}
      {WHO[broadcast]}. To reach somebody, mention them by name.
    </Ask>
  );
}

interface AskProps {
  title: string;
  action: string;
  children: ReactNode;
  onYes: () => void;
  onClose: () => void;
}

function Ask({ title, action, children, onYes, onClose }: AskProps) {
  return (
    <Dialog
      title={title}
      description={<p className="wrap-anywhere">{children}</p>}
      onClose={onClose}
    >
      <DialogActions>
        <Button data-autofocus onClick={onClose}>
          Keep writing
        </Button>
        <Button look="primary" onClick={onYes}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Runs it when it is ready, once, however often React mounts. */
function useOnce(isReady: boolean, run: () => Promise<void>): void {
  const hasRun = useRef(false);
  const latest = useRef(run);
  useEffect(() => void (latest.current = run));
  useEffect(() => {
    if (!isReady || hasRun.current) return;
    hasRun.current = true;
    void latest.current();
  }, [isReady]);
}
