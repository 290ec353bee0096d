import type { Context } from '../../core/context.ts';
import type { Transaction } from '../../db/types.ts';
import { conflict, invalidValue, limitReached } from '../../core/errors.ts';
import { GROUP_WORDS } from '../../text/group-words.ts';
import {
  claimAtCommit,
  countRestingHandles,
  isAnswererOf,
  listModelNames,
  REST_DAYS,
  type NameOwner,
} from './store.ts';

export { giveHandle, giveMissingHandles } from './handles.ts';
export { freeModelNames, restHandle } from './store.ts';

/**
 * Gives `name` to its owner with the commit, in place of an agent's or a person's former name. A name that
 * a model of this server, or anybody or anything else in the org has is refused, whoever comes second. So is a
 * word for a group, which those keep who had it before.
 */
export function claimName(
  ctx: Pick<Context, 'orgId' | 'models'> & { db: Transaction },
  name: string,
  owner: NameOwner,
): void {
  if (GROUP_WORDS.has(name)) throw nameReserved(name);
  if (isModelName(ctx, name)) throw nameTaken(name);
  claimAtCommit(ctx, name, owner, () => nameTaken(name));
}

const MOST_RESTING = 10;

/** Each handle that a person gives up is out of reach for the others, so nobody may give up many. */
export async function requireFewChanges(
  { db, orgId }: { db: Transaction; orgId: string },
  userId: string,
  handle: string,
): Promise<void> {
  if ((await countRestingHandles(db, orgId, userId, handle)) < MOST_RESTING) return;
  const message = `You have changed your handle ${MOST_RESTING} times in ${REST_DAYS} days. Take back one that you had, or try again later.`;
  throw limitReached('handle_changes', MOST_RESTING, message);
}

/** `model` and the slug of every model of the server. The operator's configuration comes before names in an org. */
export function isModelName({ models }: Pick<Context, 'models'>, name: string): boolean {
  return name === 'model' || models.find(name) !== undefined;
}

export function nameTaken(name: string): Error {
  const message = `The name "${name}" is taken by a model, an agent, an MCP server or a person, or was a person's until less than ${REST_DAYS} days ago. Choose another.`;
  return conflict('slug_taken', message, { slug: name });
}

function nameReserved(name: string): Error {
  const message = `The name "${name}" stands for a group of people. Choose another.`;
  return conflict('slug_taken', message, { slug: name });
}

/** Where `@model` looks for who answers it, in this order. */
export interface Choices {
  model: string | null;
  defaultAgent: string | null;
  projectDefaultAgent: string | null;
}

/** The name that `@model` stands for in a session: its own choice, its Project's, or the usual model. */
export async function usualName(
  ctx: Pick<Context, 'db' | 'orgId' | 'models'>,
  { model, defaultAgent, projectDefaultAgent }: Choices,
): Promise<string> {
  return model ?? defaultAgent ?? projectDefaultAgent ?? usualModel(ctx);
}

/** The server's first model. If it has none, the first that the organisation added, and else the built-in agent. */
export async function usualModel({
  db,
  orgId,
  models,
}: Pick<Context, 'db' | 'orgId' | 'models'>): Promise<string> {
  return firstModel(models, models.hasModels ? [] : await listModelNames(db, orgId));
}

/** The same, if the names of the organisation's models are known. */
export function firstModel(models: Context['models'], ofOrg: readonly string[]): string {
  const first = ofOrg.find((slug) => !models.find(slug));
  return models.hasModels ? models.defaultSlug : (first ?? models.defaultSlug);
}

/** A model, or an agent that answers in the Project. */
export async function isAnswerer(
  { db, orgId, models }: Pick<Context, 'db' | 'orgId' | 'models'>,
  projectId: string,
  slug: string,
): Promise<boolean> {
  return models.find(slug) !== undefined || isAnswererOf(db, orgId, projectId, slug);
}

/** Whether a model answers to this name: one of the server, or one that the organisation added. */
export async function isModel(
  ctx: Pick<Context, 'db' | 'orgId' | 'models'>,
  name: string,
): Promise<boolean> {
  return isModelName(ctx, name) || (await listModelNames(ctx.db, ctx.orgId)).includes(name);
}

export async function requireAnswerer(
  ctx: Pick<Context, 'db' | 'orgId' | 'models'>,
  projectId: string,
  field: 'defaultAgent' | 'model' | 'agent',
  slug: string | null | undefined,
): Promise<void> {
  if (slug == null || (await isAnswerer(ctx, projectId, slug))) return;
  const { db, orgId, models } = ctx;
  const ofOrg = await listModelNames(db, orgId);
  const known = [...new Set([...models.list().map((model) => model.slug), ...ofOrg])];
  const message = `is not a configured model, nor an agent of this Project; models: ${known.join(', ')}`;
  throw invalidValue(`body.${field}`, message);
}
