import type { Context } from '../../core/context.ts';
import type { Transaction } from '../../db/types.ts';
import { conflict, invalid, limitReached } from '../../core/errors.ts';
import {
  claimForAgentAtCommit,
  claimForPersonAtCommit,
  claimForServerAtCommit,
  countRestingHandles,
  isAgentOf,
  REST_DAYS,
} from './store.ts';

export { giveHandle, giveMissingHandles } from './handles.ts';
export { restHandle } from './store.ts';

/** Whoever has a name that can be mentioned, besides models. */
export type NameOwner = { serverId: string } | { agentId: string } | { userId: string };

/**
 * Gives `name` to its owner with the commit, in place of an agent's or a person's former name. A name that
 * a model of this server or anybody else in the org has is refused, whoever comes second.
 */
export function claimName(
  ctx: Pick<Context, 'orgId' | 'models'> & { db: Transaction },
  name: string,
  owner: NameOwner,
): void {
  const { db, orgId } = ctx;
  const taken = () => nameTaken(name);
  if (isModelName(ctx, name)) throw taken();
  if ('serverId' in owner) claimForServerAtCommit(db, orgId, name, owner.serverId, taken);
  else if ('userId' in owner) claimForPersonAtCommit(db, orgId, name, owner.userId, taken);
  else claimForAgentAtCommit(db, orgId, name, owner.agentId, taken);
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

/** `model` and every model's slug. The operator's configuration comes before names in an org. */
export function isModelName({ models }: Pick<Context, 'models'>, name: string): boolean {
  return name === 'model' || models.find(name) !== undefined;
}

export function nameTaken(name: string): Error {
  const message = `The name "${name}" is taken by a model, an agent, an MCP server or a person, or was a person's until less than ${REST_DAYS} days ago. Choose another.`;
  return conflict('slug_taken', message, { slug: name });
}

/** Where `@model` looks for who answers it, in this order. */
export interface Choices {
  model: string | null;
  defaultAgent: string | null;
  projectDefaultAgent: string | null;
}

/** The name that `@model` stands for in a session: its own choice, its Project's, or the server's. */
export function usualName(
  { models }: Pick<Context, 'models'>,
  { model, defaultAgent, projectDefaultAgent }: Choices,
): string {
  return model ?? defaultAgent ?? projectDefaultAgent ?? models.defaultSlug;
}

/** A configured model, or an agent that answers in the Project. */
export async function isAnswerer(
  { db, orgId, models }: Pick<Context, 'db' | 'orgId' | 'models'>,
  projectId: string,
  slug: string,
): Promise<boolean> {
  return models.find(slug) !== undefined || isAgentOf(db, orgId, projectId, slug);
}

export async function requireAnswerer(
  ctx: Pick<Context, 'db' | 'orgId' | 'models'>,
  projectId: string,
  field: 'defaultAgent' | 'model',
  slug: string | null | undefined,
): Promise<void> {
  if (slug == null || (await isAnswerer(ctx, projectId, slug))) return;
  const { models } = ctx;
  const known = models.list().map((model) => model.slug);
  const message = `is not a configured model, nor an agent of this Project; models: ${known.join(', ')}`;
  throw invalid([{ location: `body.${field}`, code: 'invalid_value', message }]);
}
