import type { z } from 'zod';
import type { UserContext } from '../../core/context.ts';
import { presentDocument } from './present.ts';
import { readerOf } from './reader.ts';
import type { DocumentMatches, SearchDocuments } from './schema.ts';
import { requirePlace } from './search/service.ts';
import { findDocuments } from './store.ts';

/**
 * Whether the caller would see each document of an earlier result today as they did then. If one was deleted
 * or renamed, or may no longer be read, the search has to be run again.
 */
export async function showsTheSame(
  ctx: UserContext,
  filter: SearchDocuments,
  { items }: z.input<typeof DocumentMatches>,
): Promise<boolean> {
  const ids = [...new Set(items.map(({ document }) => document.id))];
  const [rows] = await Promise.all([
    findDocuments(ctx.db, readerOf(ctx), ids),
    requirePlace(ctx, filter),
  ]);
  const current = new Map(rows.map((row) => [row.id, JSON.stringify(presentDocument(row))]));
  return items.every(({ document }) => current.get(document.id) === JSON.stringify(document));
}
