import { withTransaction, type Context } from '../../core/context.ts';
import { emit } from '../../events/emit.ts';
import { breakConnection, type ConnectionRow } from './connections/store.ts';
import { breakMapping, closeMapping, type MappingRow } from './mappings/store.ts';

/** Stops everything until somebody enters a new token. Those who can are told, once. */
export async function breakConnectionFor(
  ctx: Context,
  connection: Pick<ConnectionRow, 'id' | 'version'>,
  problem: string,
): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    if (!(await breakConnection(inner, connection, sentence(problem)))) return;
    emit(inner, { type: 'channel_connection.broken', connectionId: connection.id });
  });
}

/** Stops one channel: the bot was removed from it, or it was deleted. */
export async function breakMappingFor(
  ctx: Context,
  { id, projectId }: Pick<MappingRow, 'id' | 'projectId'>,
  problem: string,
): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    if (!(await breakMapping(inner, id, sentence(problem)))) return;
    emit(inner, { type: 'channel.broken', mappingId: id, projectId });
  });
}

/** Stops a channel that became private after a MEMBER had mapped it, until an OWNER or ADMIN confirms it. */
export async function closeMappingFor(
  ctx: Context,
  mapping: Pick<MappingRow, 'id' | 'projectId'>,
): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    if (!(await closeMapping(inner, mapping.id))) return;
    await breakMappingFor(inner, mapping, BECAME_PRIVATE);
  });
}

const BECAME_PRIVATE =
  'The channel is private now. To continue, an owner or an admin has to turn it on again.';

function sentence(problem: string): string {
  const text = problem.charAt(0).toUpperCase() + problem.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
