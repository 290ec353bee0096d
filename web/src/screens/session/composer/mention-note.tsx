import { useMemo } from 'react';
import type { Broadcast } from '../../../../../server/src/text/group-words.ts';
import { useMembers } from '../../../data/queries.ts';
import { useAnswerers } from '../answerers.ts';
import { useSession } from '../session-context.ts';
import { checkReach, type Mentionable, type Reach } from './reach.ts';
import { inPeople } from './mentions.ts';
import { useBroadcastRule, useReachCounts } from './use-broadcasts.ts';
import { useRefusals } from './use-mention-menu.ts';

interface MentionNoteProps {
  /** The draft, without the mention that is being chosen. */
  text: string;
  onReplace: (written: string, handle: string) => void;
}

/** Before a message is sent: which of its mentions reach nobody, and whom they could mean. */
export function MentionNote({ text, onReplace }: MentionNoteProps) {
  const { named, unreached, broadcast } = useReach(text);
  const counts = useReachCounts(broadcast !== null);
  const count = broadcast === 'HERE' ? counts?.here : counts?.everyone;
  return (
    <div role="status" className="flex flex-col gap-1 px-1 text-note empty:hidden">
      {unreached.map(({ written, why, options }) => (
        <p key={written} className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-warn">
          <span className="min-w-0 wrap-anywhere">
            {why}
            {options.length > 0 ? '. Did you mean' : '.'}
          </span>
          {options.map(({ handle, name }) => (
            <button
              key={handle}
              type="button"
              className="inline-flex min-h-6 max-w-full items-center gap-1 rounded-full border border-edge bg-surface px-2 text-xs text-ink hover:bg-hover"
              onClick={() => onReplace(written, handle)}
            >
              <bdi className="truncate font-medium">{name}</bdi>
              <span className="truncate text-muted">@{handle}</span>
            </button>
          ))}
        </p>
      ))}
      {broadcast !== null && count !== undefined && (
        <p className={count === 0 ? 'text-warn' : 'text-muted'}>{sayReach(broadcast, count)}</p>
      )}
      {named.length > 0 && (
        <p className="wrap-anywhere text-muted">
          Notifies {named.map(({ person }) => `${person.name} (@${person.handle})`).join(', ')}
        </p>
      )}
    </div>
  );
}

function sayReach(broadcast: Broadcast, count: number): string {
  if (broadcast === 'HERE') {
    return count === 0
      ? 'Nobody else is here now, so @here notifies nobody. Use @everyone instead.'
      : `Notifies ${inPeople(count)} here now`;
  }
  if (count === 0) return 'Nobody else follows this session, so @everyone notifies nobody.';
  return `Notifies ${inPeople(count)} in this session`;
}

const NOTHING: Reach = { named: [], unreached: [], broadcast: null };

function useReach(text: string): Reach {
  const { session } = useSession();
  const { data: members } = useMembers();
  const { answers, isLoaded } = useAnswerers();
  const { refusalOf, isKnown } = useRefusals(session);
  const { refusal } = useBroadcastRule();
  const people = useMemo(
    () =>
      members?.map(({ userId, name, handle }): Mentionable => {
        const why = refusalOf(userId);
        return { userId, name, handle, refusal: why, isHere: why === undefined };
      }),
    [members, refusalOf],
  );
  return useMemo(
    () =>
      people && isLoaded && isKnown ? checkReach(text, { people, answers, refusal }) : NOTHING,
    [text, people, isLoaded, isKnown, answers, refusal],
  );
}
