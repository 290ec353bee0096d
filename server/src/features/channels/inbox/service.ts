import type { ChatEvent } from '../../../adapters/chat/provider.ts';
import type { Context } from '../../../core/context.ts';
import { breakConnectionFor } from '../breakage.ts';
import type { ConnectionRow } from '../connections/store.ts';
import { isAboutChannel, noteEvent, saveEvents } from './store.ts';

export { purgeEvents } from './store.ts';

/** Once this has resolved, the chat system need not send these events again. */
export async function storeDelivery(
  ctx: Context,
  connection: Pick<ConnectionRow, 'id' | 'version'>,
  events: readonly ChatEvent[],
): Promise<void> {
  if (events.some(({ kind }) => kind === 'revoked')) {
    await breakConnectionFor(ctx, connection, 'The chat system has revoked the token.');
    return;
  }
  await noteEvent(ctx, connection.id);
  if (!(await saveEvents(ctx, connection.id, events.filter(isAboutChannel)))) return;
  await ctx.db.transaction(async (tx) => ctx.jobs.wakeAfterCommit(tx));
}
