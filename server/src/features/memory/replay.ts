import type { z } from 'zod';
import { requireProject } from '../../access/project.ts';
import type { Context } from '../../core/context.ts';
import { presentMemory } from './present.ts';
import { toMemory } from './record.ts';
import type { CreateMemory, MemoryMatches, SearchMemories } from './schema.ts';
import { findMemories, findProjectStanding } from './store.ts';
import { readerOf } from './visibility.ts';

/** For new memories: the caller may still read the Projects that they were written to. */
export async function requireReadableProjects(
  ctx: Context,
  inputs: readonly Pick<CreateMemory, 'projectId'>[],
): Promise<void> {
  const reader = readerOf(ctx);
  const projectIds = new Set(inputs.flatMap(({ projectId }) => projectId ?? []));
  for (const projectId of projectIds) {
    requireProject(await findProjectStanding(ctx.db, reader, projectId));
  }
}

/**
 * Whether the caller would see each memory of an earlier result today as they did then. If one was changed
 * or deleted, or is no longer shared with them, the search has to be run again.
 */
export async function showsTheSame(
  ctx: Context,
  filter: SearchMemories,
  { items }: z.input<typeof MemoryMatches>,
): Promise<boolean> {
  const ids = items.map(({ id }) => id);
  const [rows] = await Promise.all([
    findMemories(ctx.db, readerOf(ctx), ids),
    requireReadableProjects(ctx, [filter]),
  ]);
  const current = new Map(rows.map((row) => [row.id, toMemory(ctx.encoder, row)]));
  return items.every(({ score: _score, scores: _scores, ...memory }) => {
    const now = current.get(memory.id);
    return now && JSON.stringify(presentMemory(now)) === JSON.stringify(memory);
  });
}
