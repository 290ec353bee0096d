import { hash } from 'node:crypto';
import { withTransaction, type Context, type EventContext } from '../../core/context.ts';
import type { Transaction } from '../../db/types.ts';
import { newId } from '../../core/ids.ts';
import { emit } from '../../events/emit.ts';
import type { AddedBy } from '../../events/list.ts';
import { addOneByOne } from './batches/one-by-one.ts';
import { enqueueEmbedding } from './embedding/job.ts';
import { requireOwnPrivacy, requireWritable } from './policy.ts';
import type { Memory } from './record.ts';
import type { CreateMemory } from './schema.ts';
import {
  prepareContent,
  prepareContents,
  searchFormOf,
  type PreparedContent,
} from './search-form.ts';
import { isShared, savedMemory } from './sharing.ts';
import {
  findImportHashes,
  findProjectStanding,
  insertImportedMemory,
  insertMemories,
  type NewMemory,
} from './store.ts';
import { readerOf } from './visibility.ts';
import { addedTerms, addTermCounts } from './term-counts/store.ts';

/** What writing a memory needs: a request has it, and so has the command line. */
export type WriteContext = Pick<Context, keyof EventContext | 'encoder'>;

/** The slow part of writing memories. Call it before opening a transaction. */
export function prepareMemories(
  ctx: WriteContext,
  inputs: readonly Pick<CreateMemory, 'content'>[],
): Promise<PreparedContent[]> {
  const contents = inputs.map(({ content }) => content);
  return prepareContents(ctx, contents, userOf(ctx));
}

export function prepareMemory(ctx: WriteContext, content: string): Promise<PreparedContent> {
  return prepareContent(ctx, content, userOf(ctx));
}

export async function createMemory(
  ctx: WriteContext,
  input: CreateMemory,
  prepared: PreparedContent,
): Promise<Memory> {
  const [memory] = await createMemories(ctx, [input], [prepared]);
  return memory as Memory;
}

/** Creates all of them or none. `prepared` has one entry per input. */
export async function createMemories(
  ctx: WriteContext,
  inputs: readonly CreateMemory[],
  prepared: readonly PreparedContent[],
): Promise<Memory[]> {
  await requireSharing(ctx, inputs);
  const newMemories = inputs.map((input, at) => newMemoryOf(ctx, input, prepared[at]));
  await withTransaction(ctx, async (inner) => {
    const left = await addOneByOne(inner, newMemories);
    await insertMemories(inner, left);
    await addTermCounts(inner, left.map(addedTerms));
    emitAdded(inner, newMemories);
  });
  return newMemories.map(({ memory, form }) => ({
    ...memory,
    isReady: form.embedding !== null,
    updatedAt: memory.createdAt,
  }));
}

/** What an import is going to write: the memories that were not imported before, prepared. */
export async function prepareImport(
  ctx: WriteContext,
  inputs: readonly CreateMemory[],
): Promise<NewMemory[]> {
  await requireSharing(ctx, inputs);
  const byHash = new Map(inputs.map((input) => [importHashOf(ctx, input), input]));
  const known = await findImportHashes(ctx, [...byHash.keys()]);
  for (const importHash of known) byHash.delete(importHash);
  const prepared = await prepareMemories(ctx, [...byHash.values()]);
  return [...byHash].map(([importHash, input], at) =>
    newMemoryOf(ctx, input, prepared[at], importHash),
  );
}

/** Creates all of them or none, except those that another import has added. Returns how many. */
export function importMemories(
  ctx: WriteContext,
  newMemories: readonly NewMemory[],
  by?: AddedBy,
): Promise<number> {
  return withTransaction(ctx, async (inner) => {
    const added: NewMemory[] = [];
    for (const newMemory of newMemories) {
      if (await insertImportedMemory(inner, newMemory)) added.push(newMemory);
    }
    await addTermCounts(inner, added.map(addedTerms));
    emitAdded(inner, added, by);
    return added.length;
  });
}

/** Of everything that makes the memory, so that equal lines of one author are one memory. */
function importHashOf(ctx: WriteContext, input: CreateMemory): string {
  const { content, visibility, projectId = null, tags = [], sourceUrl = null } = input;
  const parts = [userOf(ctx), visibility, projectId, content, tags, sourceUrl];
  return hash('sha256', JSON.stringify(parts), 'base64url');
}

function newMemoryOf(
  ctx: WriteContext,
  input: CreateMemory,
  prepared: PreparedContent | undefined,
  importHash: string | null = null,
): NewMemory {
  if (!prepared) throw new Error('a memory was not prepared');
  const { content, visibility, projectId = null, tags = [], sourceUrl = null } = input;
  const sharing = { visibility, projectId, ownerUserId: userOf(ctx) };
  const createdAt = ctx.clock.now();
  const memory = { id: newId(), content, ...sharing, tags, sourceUrl, createdAt };
  return { memory, form: searchFormOf(ctx.encoder, prepared, !isShared(sharing)), importHash };
}

/** Looks up each Project once. */
async function requireSharing(ctx: WriteContext, inputs: readonly CreateMemory[]): Promise<void> {
  if (inputs.some(({ visibility }) => visibility === 'PRIVATE')) {
    requireOwnPrivacy(ctx.actor, { ownerUserId: userOf(ctx) });
  }
  const projectIds = new Set(inputs.flatMap(({ projectId }) => projectId ?? []));
  for (const projectId of projectIds) {
    requireWritable(await findProjectStanding(ctx.db, readerOf(ctx), projectId));
  }
}

/** And adds a job if the model was unavailable. */
function emitAdded(
  ctx: Omit<WriteContext, 'db'> & { db: Transaction },
  newMemories: readonly NewMemory[],
  by?: AddedBy,
): void {
  const memories = newMemories.map(({ memory }) => savedMemory(memory));
  if (memories.length > 0) emit(ctx, { type: 'memory.created', memories, by });
  if (newMemories.some(({ form }) => form.embedding === null)) enqueueEmbedding(ctx);
}

function userOf({ actor }: WriteContext): string | null {
  return actor.kind === 'user' ? actor.userId : null;
}
