import type { Admission } from '../../messages/inbound/service.ts';
import type { Clock } from '../../../core/context.ts';
import type { OrgTransaction } from '../../../db/types.ts';
import { lockAnswered, saveAnswered, type Answered, type MappingRow } from '../mappings/store.ts';

/** Replies to one person in a channel, and to everyone there, within a minute. They cost credits. */
const MOST_PER_AUTHOR = 20;
const MOST_PER_CHANNEL = 60;
const WINDOW_MS = 60_000;

/** Who asks, and for how many replies. */
export interface Request {
  authorId: string;
  replies: number;
}

/**
 * Whether agents answer this message too. It is counted in the message's commit, so the count holds for every
 * process that serves the channel. Once a minute a note says that it is too much.
 */
export async function admitReplies(
  ctx: OrgTransaction & { clock: Clock },
  { id }: Pick<MappingRow, 'id'>,
  request: Request,
): Promise<Admission> {
  const now = ctx.clock.now();
  const before = await lockAnswered(ctx, id);
  const { admission, answered } = decide(before, request, now);
  if (answered.length > 0) await saveAnswered(ctx, id, answered);
  return admission;
}

export function decide(
  before: readonly Answered[],
  { authorId, replies }: Request,
  now: Date,
): { admission: Admission; answered: Answered[] } {
  const at = now.toISOString();
  const recent = before.filter((each) => now.getTime() - Date.parse(each.at) < WINDOW_MS);
  const sum = (from: readonly Answered[]) => from.reduce((total, each) => total + each.replies, 0);
  const own = recent.filter((each) => each.authorId === authorId);
  const isAuthors = sum(own) + replies > MOST_PER_AUTHOR;
  if (!isAuthors && sum(recent) + replies <= MOST_PER_CHANNEL) {
    return { admission: { isAdmitted: true }, answered: [...recent, { at, authorId, replies }] };
  }
  // Without an author, it is about the whole channel.
  const noted = isAuthors ? authorId : null;
  if (recent.some((each) => each.replies === 0 && each.authorId === noted)) {
    return { admission: { isAdmitted: false }, answered: [] };
  }
  const note = isAuthors
    ? `Agents answer one person in this channel ${MOST_PER_AUTHOR} times a minute at most. Wait a minute, then ask again.`
    : `Agents answer ${MOST_PER_CHANNEL} times a minute in this channel at most. Wait a minute, then ask again.`;
  return {
    admission: { isAdmitted: false, note },
    answered: [...recent, { at, authorId: noted, replies: 0 }],
  };
}
