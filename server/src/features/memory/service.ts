import { isDeepStrictEqual } from 'node:util';
import type { EncodedText } from '../../adapters/embeddings/text-encoder.ts';
import { withTransaction, type Context } from '../../context.ts';
import type { Transaction } from '../../db/database.ts';
import { invalid, notFound } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { recordAudit } from '../audit/service.ts';
import { EMBED_MEMORIES } from './embed-job.ts';
import { requireKeeper, requireOwnPrivacy, requireReadable, requireWritable } from './policy.ts';
import { toMemory, type Memory } from './record.ts';
import type { CreateMemory, ListMemories, UpdateMemory } from './schema.ts';
import { encodeContent, searchFormOf } from './search-form.ts';
import {
  countTermsAtCommit,
  deleteMemoryAtCommit,
  findCursor,
  findMemory,
  findProjectStanding,
  insertMemoryAtCommit,
  listMemoryRows,
  lockMemory,
  updateMemoryAtCommit,
  type MemoryRow,
  type SearchForm,
} from './store.ts';
import { readerOf } from './visibility.ts';

export { rankTexts } from './search/rank-texts.ts';
export { searchMemories, type Found } from './search/service.ts';

/** The slow part of writing a memory, for callers that are about to open a transaction. */
export function prepareMemory(ctx: Context, content: string): Promise<EncodedText> {
  return encodeContent(ctx.encoder, ctx.log, content);
}

export async function createMemory(
  ctx: Context,
  input: CreateMemory,
  encoded: EncodedText,
): Promise<Memory> {
  const { content, visibility, projectId = null, tags = [], sourceUrl = null } = input;
  const ownerUserId = ctx.actor.kind === 'user' ? ctx.actor.userId : null;
  if (visibility === 'PRIVATE') requireOwnPrivacy(ctx.actor, { ownerUserId });
  if (projectId !== null) {
    requireWritable(await findProjectStanding(ctx.db, readerOf(ctx), projectId));
  }
  const createdAt = ctx.clock.now();
  const memory = {
    id: newId(),
    content,
    visibility,
    projectId,
    ownerUserId,
    tags,
    sourceUrl,
    createdAt,
  };
  const form = formOf(ctx, memory, encoded);
  await withTransaction(ctx, async (inner) => {
    insertMemoryAtCommit(inner.db, ctx.orgId, memory, form);
    countTermsAtCommit(inner.db, ctx.orgId, [{ scope: scopeOf(memory), terms: form.terms, by: 1 }]);
    announce(inner, memory.id, memory);
    if (form.embedding === null) enqueueEmbedding(inner);
  });
  return { ...memory, isReady: form.embedding !== null, updatedAt: createdAt };
}

export async function getMemory(ctx: Context, memoryId: string): Promise<Memory> {
  const memory = await findMemory(ctx.db, readerOf(ctx), memoryId);
  if (!memory) throw notFound('This memory');
  return toMemory(ctx.encoder, memory);
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
  if (projectId !== undefined) requireReadable(project);
  if (cursor === undefined) {
    const message = 'names no memory of this list';
    throw invalid([{ location: 'query.before', code: 'invalid_value', message }]);
  }
  const filter = { visibility, projectId, tags: tag === undefined ? undefined : [tag] };
  const rows = await listMemoryRows(ctx.db, reader, filter, { before: cursor, limit: limit + 1 });
  const items = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return {
    items: items.map((row) => toMemory(ctx.encoder, row)),
    nextBefore: hasMore ? (items.at(-1)?.id ?? null) : null,
    hasMore,
  };
}

export async function updateMemory(
  ctx: Context,
  memoryId: string,
  input: UpdateMemory,
): Promise<Memory> {
  const reader = readerOf(ctx);
  const seen = await findMemory(ctx.db, reader, memoryId);
  if (!seen) throw notFound('This memory');
  requireKeeper(ctx.actor, seen);
  const { content } = input;
  // The model works before the transaction opens, and only where there is something new to read.
  const encoded =
    content === undefined || content === seen.content ? null : await prepareMemory(ctx, content);
  return withTransaction(ctx, async (inner) => {
    const locked = await lockMemory(inner.db, reader, memoryId);
    if (!locked) throw notFound('This memory');
    requireKeeper(ctx.actor, locked);
    const { scope, terms, ...before } = locked;
    const fields = changedFields(before, input);
    if (fields.length === 0) return toMemory(ctx.encoder, before);
    const memory = { ...before, ...givenFields(input), updatedAt: ctx.clock.now() };
    await checkPlace(inner, before, memory);
    const form = formOf(ctx, memory, encoded ?? NOT_ENCODED);
    const embeddingModel = encoded ? form.embeddingModel : before.embeddingModel;
    updateMemoryAtCommit(inner.db, ctx.orgId, memory, form, encoded !== null);
    countTermsAtCommit(inner.db, ctx.orgId, [
      { scope, terms, by: -1 },
      { scope: scopeOf(memory), terms: form.terms, by: 1 },
    ]);
    if (embeddingModel === null) enqueueEmbedding(inner);
    // Those who saw it where it was before know of it, and learn only that it is to be looked for.
    announce(inner, memoryId, before);
    if (scope !== scopeOf(memory)) announce(inner, memoryId, memory);
    if (isShared(before) || isShared(memory)) {
      recordAudit(inner, 'memory.updated', memoryId, { fields });
    }
    return toMemory(ctx.encoder, { ...memory, embeddingModel });
  });
}

export async function deleteMemory(ctx: Context, memoryId: string): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    const memory = await lockMemory(inner.db, readerOf(ctx), memoryId);
    if (!memory) throw notFound('This memory');
    requireKeeper(ctx.actor, memory);
    const { scope, terms } = memory;
    deleteMemoryAtCommit(inner.db, ctx.orgId, memoryId);
    countTermsAtCommit(inner.db, ctx.orgId, [{ scope, terms, by: -1 }]);
    announce(inner, memoryId, memory);
    if (isShared(memory)) recordAudit(inner, 'memory.deleted', memoryId);
  });
}

type Place = Pick<MemoryRow, 'visibility' | 'projectId' | 'ownerUserId'>;

/** Where a memory is moved to must exist, be open to the caller, and be named where it has to be. */
async function checkPlace(ctx: Context, before: Place, after: Place): Promise<void> {
  const { visibility, projectId } = after;
  if (visibility === 'PROJECT' && projectId === null) {
    const message = 'is required when visibility is PROJECT';
    throw invalid([{ location: 'body.projectId', code: 'required', message }]);
  }
  if (visibility === 'PRIVATE' && before.visibility !== 'PRIVATE') {
    requireOwnPrivacy(ctx.actor, after);
  }
  // What is in an archived Project can still be moved out of it, and not be changed there.
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

const NOT_ENCODED: EncodedText = { vector: null, tokens: null };

function formOf(
  ctx: Context,
  memory: Place & { content: string },
  encoded: EncodedText,
): SearchForm {
  const privateTo = isShared(memory) ? null : memory.ownerUserId;
  return searchFormOf(ctx.encoder, memory.content, encoded, { orgId: ctx.orgId, privateTo });
}

/** As the database's own column has it. */
function scopeOf({ visibility, projectId, ownerUserId }: Place): string {
  if (visibility === 'ORG') return 'ORG';
  return (visibility === 'PROJECT' ? projectId : ownerUserId) ?? '';
}

/** To those who see what is in this place. */
function announce(ctx: Context, memoryId: string, place: Place): void {
  const { visibility, projectId, ownerUserId } = place;
  ctx.hints.announce(ctx, {
    type: 'memory.changed',
    memoryId,
    ...(visibility === 'PROJECT' && { projectId: projectId ?? '' }),
    ...(visibility === 'PRIVATE' && { to: ownerUserId ?? '' }),
  });
}

function isShared({ visibility }: Place): boolean {
  return visibility !== 'PRIVATE';
}

function enqueueEmbedding(ctx: Omit<Context, 'db'> & { db: Transaction }): void {
  ctx.jobs.enqueue(ctx.db, {
    kind: EMBED_MEMORIES,
    payload: { orgId: ctx.orgId },
    unlessQueued: true,
  });
}
