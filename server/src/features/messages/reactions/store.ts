import type { UserContext } from '../../../core/context.ts';
import { invalidValue } from '../../../core/errors.ts';
import { refusing } from '../../../db/transactions/violations.ts';
import type { OrgTransaction, Transaction } from '../../../db/types.ts';
import { RAISE_VERSION, type MessageRow } from '../store.ts';
import type { Reaction } from '../schema.ts';
import { reactionsInTables } from './in-tables.ts';

export type ReactionRow = Omit<Reaction, 'createdAt'> & { createdAt: Date };

/** So many different emoji one message may have. A constraint of the table says so too. */
const MOST_REACTIONS = 20;

/** Returns the caller's existing reaction if there is one with this emoji. */
export async function upsertReaction(
  ctx: UserContext & { db: Transaction },
  message: Pick<MessageRow, 'id' | 'sessionId'>,
  emoji: string,
): Promise<ReactionRow> {
  const [row] = await ctx.db.query<ReactionRow>(
    `INSERT INTO reactions (org_id, message_id, emoji, user_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT (org_id, message_id, emoji, user_id) DO UPDATE SET emoji = excluded.emoji
     RETURNING message_id AS "messageId", emoji, user_id AS "userId", created_at AS "createdAt"`,
    [ctx.orgId, message.id, emoji, ctx.actor.userId],
  );
  listReactionsAtCommit(ctx, message);
  return row as ReactionRow;
}

export function deleteReaction(
  ctx: UserContext & { db: Transaction },
  message: Pick<MessageRow, 'id' | 'sessionId'>,
  emoji: string,
): void {
  ctx.db.atCommit(
    'DELETE FROM reactions WHERE org_id = $1 AND message_id = $2 AND emoji = $3 AND user_id = $4',
    [ctx.orgId, message.id, emoji, ctx.actor.userId],
  );
  listReactionsAtCommit(ctx, message);
}

/**
 * Copies the table's reactions to the message, where lists read them. The session's lock makes those who
 * react at the same time take turns, and each statement sees what was committed before it.
 */
export function listReactionsAtCommit(
  { db, orgId }: OrgTransaction,
  { id, sessionId }: Pick<MessageRow, 'id' | 'sessionId'>,
  refusal: () => Error = tooManyReactions,
): void {
  db.atCommit(RAISE_VERSION, [orgId, sessionId], { order: 'last' });
  db.atCommit(
    `UPDATE messages SET reactions = ${reactionsInTables('$2')}
     WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL`,
    [orgId, id],
    { order: 'last', explain: refusing('tooManyReactions', refusal) },
  );
}

function tooManyReactions(): Error {
  const message = `is one too many: this message has ${MOST_REACTIONS} different reactions. Use one of those.`;
  return invalidValue('body.emoji', message);
}
