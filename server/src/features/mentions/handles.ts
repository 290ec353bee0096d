import { randomInt } from 'node:crypto';
import type { ModelRegistry } from '../../adapters/models/model.ts';
import type { Queryable } from '../../db/types.ts';
import { GROUP_WORDS } from '../../text/group-words.ts';
import { slugify } from '../../text/slug.ts';
import { insertHandle, listMembersWithoutHandle, type NewMember } from './store.ts';

const MAX_LENGTH = 32;
/** How many numbers are tried before a handle gets random digits. */
const NUMBERS = 4;
const TRIES = 12;

/**
 * Gives a new member the handle that their name or address suggests, or a free variant of it. The command
 * line knows no models, so a handle given there may be a model's name. Then the mention is the model's.
 */
export async function giveHandle(
  db: Queryable,
  member: NewMember,
  models?: Pick<ModelRegistry, 'find'>,
): Promise<string> {
  const base = handleFrom(member);
  for (let nth = 1; nth <= TRIES; nth++) {
    const handle = variant(base, nth);
    if (isReserved(handle) || models?.find(handle)) continue;
    if (await insertHandle(db, member, handle)) return handle;
  }
  throw new Error(`found no free handle like ${base}`);
}

/** For members whom a process of an older version added. */
export async function giveMissingHandles(
  db: Queryable,
  models: Pick<ModelRegistry, 'find'>,
): Promise<number> {
  const members = await listMembersWithoutHandle(db);
  for (const member of members) await db.transaction((tx) => giveHandle(tx, member, models));
  return members.length;
}

function handleFrom({ name, email }: NewMember): string {
  const words = [name, email.slice(0, email.indexOf('@'))].map(shorten);
  return words.find((word) => word.length >= 2) ?? 'member';
}

function shorten(words: string): string {
  return slugify(words).slice(0, MAX_LENGTH).replaceAll(/-+$/g, '');
}

function variant(base: string, nth: number): string {
  if (nth === 1) return base;
  const suffix = nth <= NUMBERS ? `-${nth}` : `-${randomInt(10_000, 100_000)}`;
  return base.slice(0, MAX_LENGTH - suffix.length) + suffix;
}

function isReserved(name: string): boolean {
  return name === 'model' || name === 'recall' || GROUP_WORDS.has(name);
}
