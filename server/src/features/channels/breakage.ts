import { withTransaction, type Context } from '../../context.ts';
import { notifyOfBrokenChannel } from '../notifications/service.ts';
import { breakConnection, type ConnectionRow } from './connections/store.ts';
import { breakMapping, type MappingRow } from './mappings/store.ts';

/** Stops everything until somebody enters a new token. Those who can are told, once. */
export async function breakConnectionFor(
  ctx: Context,
  connection: Pick<ConnectionRow, 'id' | 'version'>,
  problem: string,
): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    if (!(await breakConnection(inner.db, ctx.orgId, connection, sentence(problem)))) return;
    await notifyOfBrokenChannel(inner, null);
    ctx.hints.announce(inner, { type: 'org.updated' });
  });
}

/** Stops one channel: the bot was removed from it, or it was deleted. */
export async function breakMappingFor(
  ctx: Context,
  { id, projectId }: Pick<MappingRow, 'id' | 'projectId'>,
  problem: string,
): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    if (!(await breakMapping(inner.db, ctx.orgId, id, sentence(problem)))) return;
    await notifyOfBrokenChannel(inner, projectId);
    ctx.hints.announce(inner, { type: 'project.updated', projectId });
  });
}

function sentence(problem: string): string {
  const text = problem.charAt(0).toUpperCase() + problem.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
