import type { ChatEvent } from '../../../adapters/chat/provider.ts';
import type { Context } from '../../../core/context.ts';
import { breakConnectionFor } from '../breakage.ts';
import type { ConnectionRow } from '../connections/store.ts';
import { noteEvent, saveEvents, type ChannelEvent } from './store.ts';

export { purgeEvents } from './store.ts';

/** Once this has resolved, the chat system need not send these events again. */
export async function storeDelivery(
  ctx: Context,
  connection: Pick<ConnectionRow, 'id' | 'version'>,
  events: readonly ChatEvent[],
): Promise<void> {
  const { db, orgId } = ctx;
  if (events.some(({ kind }) => kind === 'revoked')) {
    await breakConnectionFor(ctx, connection, 'The chat system has revoked the token.');
    return;
  }
  const about = events.filter((event): event is ChannelEvent => event.kind !== 'revoked');
  await noteEvent(db, orgId, connection.id);
  if (!(await saveEvents(db, orgId, connection.id, about))) return;
  await db.transaction(async (tx) => ctx.jobs.wakeAfterCommit(tx));
}
