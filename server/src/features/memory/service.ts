import { isDeepStrictEqual } from 'node:util';
import { requireProject } from '../../access/project.ts';
import { NOT_ENCODED } from '../../adapters/embeddings/text-encoder.ts';
import { withTransaction, type Context, type UserContext } from '../../core/context.ts';
import { invalid, invalidValue, requireFound } from '../../core/errors.ts';
import { recordPage, type RecordPage, type RecordQuery } from '../../lists/record-page.ts';
import { emit } from '../../events/emit.ts';
import { enqueueEmbedding } from './embedding/job.ts';
import { requireKeeper, requireOwnPrivacy, requireWritable } from './policy.ts';
import { toMemory, type Memory } from './record.ts';
import type { ListMemories, UpdateMemory } from './schema.ts';
import { indexWords, prepareContent, searchFormOf } from './search-form.ts';
import { isShared, savedMemory, scopeOf, type Sharing } from './sharing.ts';
import {
  deleteMemoryAtCommit,
  findCursor,
  findMemory,
  findProjectStanding,
  listMemoryRows,
  lockMemory,
  scanMemories,
  updateMemoryAtCommit,
  type MemoryRow,
} from './store.ts';
import { readerOf } from './visibility.ts';
import { addTermCounts, termChanges } from './term-counts/store.ts';

export {
  createMemories,
  createMemory,
  importMemories,
  prepareImport,
  prepareMemories,
  prepareMemory,
  type WriteContext,
} from './create.ts';
export { undoOpenBatches } from './batches/one-by-one.ts';
export type { NewMemory } from './store.ts';
export { embeddingOf, indexWords } from './search-form.ts';
export { lookUpTerms, raritiesOf, rarestOf, sumOfRarities } from './search/candidates.ts';
export { rankTexts } from './search/rank-texts.ts';
export { RERANKED, similarityOf, type Scores } from './search/ranking.ts';
export { rerankTexts } from './search/rerank.ts';
export { isScanFaster, LEG_LIMIT, walkFor } from './search/search-scope.ts';
export { findPiece } from './search/read-texts.ts';
export { encodeQuery, queryVectorOf, searchMemories, type RankedMemory } from './search/service.ts';
export { wordWeights } from './search/word-weights.ts';
export type { Reader } from './visibility.ts';

export async function getMemory(ctx: Context, memoryId: string): Promise<Memory> {
  const memory = await findMemory(ctx.db, readerOf(ctx), memoryId);
  return toMemory(ctx.encoder, requireFound(memory, 'This memory'));
}

export interface MemoryPage {
  items: Memory[];
  nextBefore: string | null;
  hasMore: boolean;
}

export async function listMemories(ctx: Context, query: ListMemories): Promise<MemoryPage> {
  const { visibility, projectId, tag, before, limit } = query;
  const reader = readerOf(ctx);
  const [project, cursor] = await Promise.all([
    projectId === undefined ? undefined : findProjectStanding(ctx.db, reader, projectId),
    before === undefined ? null : findCursor(ctx.db, reader, before, { visibility, projectId }),
  ]);
  if (projectId !== undefined) requireProject(project);
  if (cursor === undefined) {
    throw invalidValue('query.before', 'must be the id of a memory in this list');
  }
  const filter = { visibility, projectId, tags: tag === undefined ? undefined : [tag] };
  const rows = await listMemoryRows(ctx.db, reader, filter, { before: cursor, limit });
  const last = rows.at(-1);
  const hasMore = last?.hasOlder === true;
  return {
    items: rows.map((row) => toMemory(ctx.encoder, row)),
    nextBefore: hasMore ? last.id : null,
    hasMore,
  };
}

export async function updateMemory(
  ctx: Context,
  memoryId: string,
  input: UpdateMemory,
): Promise<Memory> {
  const reader = readerOf(ctx);
  const seen = requireFound(await findMemory(ctx.db, reader, memoryId), 'This memory');
  requireKeeper(ctx.actor, seen);
  const { content = seen.content } = input;
  // Before the transaction opens. The model only runs if the content is new.
  const prepared =
    content === seen.content
      ? { content, encoded: null, ...(await indexWords(ctx.orgId, content, seen.ownerUserId)) }
      : await prepareContent(ctx, content, seen.ownerUserId);
  return withTransaction(ctx, async (inner) => {
    const locked = requireFound(await lockMemory(inner.db, reader, memoryId), 'This memory');
    requireKeeper(ctx.actor, locked);
    const { scope, terms, ...before } = locked;
    const fields = changedFields(before, input);
    if (fields.length === 0) return toMemory(ctx.encoder, before);
    const memory = { ...before, ...givenFields(input), updatedAt: ctx.clock.now() };
    await checkSharing(inner, before, memory);
    const { encoded } = prepared;
    // Someone else may have changed the content in the meantime.
    const words =
      memory.content === prepared.content
        ? prepared
        : await indexWords(ctx.orgId, memory.content, memory.ownerUserId);
    const form = searchFormOf(
      ctx.encoder,
      { ...words, encoded: encoded ?? NOT_ENCODED },
      !isShared(memory),
    );
    const embeddingModel = encoded ? form.embeddingModel : before.embeddingModel;
    updateMemoryAtCommit(inner, memory, form, encoded !== null);
    const after = { scope: scopeOf(memory), terms: form.terms };
    await addTermCounts(inner, termChanges({ scope, terms }, after));
    if (embeddingModel === null) enqueueEmbedding(inner);
    const saved = { ...savedMemory(memory), before: savedMemory(before) };
    emit(inner, { type: 'memory.updated', ...saved, fields });
    return toMemory(ctx.encoder, { ...memory, embeddingModel });
  });
}

export async function deleteMemory(ctx: Context, memoryId: string): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    const found = await lockMemory(inner.db, readerOf(ctx), memoryId);
    const memory = requireFound(found, 'This memory');
    requireKeeper(ctx.actor, memory);
    const { scope, terms } = memory;
    deleteMemoryAtCommit(inner, memoryId);
    await addTermCounts(inner, [{ scope, terms, by: -1 }]);
    emit(inner, { type: 'memory.deleted', ...savedMemory(memory) });
  });
}

/** A Project must be named for PROJECT, must exist, and the caller must be able to write to it. */
async function checkSharing(ctx: Context, before: Sharing, after: Sharing): Promise<void> {
  const { visibility, projectId } = after;
  if (visibility === 'PROJECT' && projectId === null) {
    const message = 'is required when visibility is PROJECT';
    throw invalid([{ location: 'body.projectId', code: 'required', message }]);
  }
  if (visibility === 'PRIVATE' && before.visibility !== 'PRIVATE') {
    requireOwnPrivacy(ctx.actor, after);
  }
  // A memory can be moved out of an archived Project, but not be changed inside it.
  if (projectId !== null && (visibility === 'PROJECT' || projectId !== before.projectId)) {
    requireWritable(await findProjectStanding(ctx.db, readerOf(ctx), projectId));
  }
}

function givenFields(input: UpdateMemory): Partial<MemoryRow> {
  const { tags, ...rest } = input;
  const given = { ...rest, tags: tags === null ? [] : tags };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function changedFields(memory: MemoryRow, input: UpdateMemory): string[] {
  return Object.entries(givenFields(input))
    .filter(([name, value]) => !isDeepStrictEqual(value, memory[name as keyof MemoryRow]))
    .map(([name]) => name);
}

/** For exports. Who may read everything is for the caller to check. */
export async function readMemories(
  ctx: UserContext,
  query: RecordQuery,
): Promise<RecordPage<Memory>> {
  const { rows, next } = recordPage(await scanMemories(ctx.db, readerOf(ctx), query));
  return { rows: rows.map((row) => toMemory(ctx.encoder, row)), next };
}
