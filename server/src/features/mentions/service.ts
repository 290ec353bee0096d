import type { Context } from '../../context.ts';
import type { Transaction } from '../../db/types.ts';
import { conflict } from '../../errors.ts';
import { claimForAgentAtCommit, claimForServerAtCommit } from './store.ts';

/** Whoever has a name that can be mentioned, besides models. */
export type NameOwner = { serverId: string } | { agentId: string };

/**
 * Gives `name` to its owner with the commit, in place of an agent's former name. A name that a model of
 * this server or anybody else in the org has is refused, whoever comes second.
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
  else claimForAgentAtCommit(db, orgId, name, owner.agentId, taken);
}

/** `model` and every model's slug. The operator's configuration comes before names in an org. */
export function isModelName({ models }: Pick<Context, 'models'>, name: string): boolean {
  return name === 'model' || models.find(name) !== undefined;
}

export function nameTaken(name: string): Error {
  const message = `The name "${name}" is taken by a model, an agent or an MCP server. Choose another.`;
  return conflict('slug_taken', message, { slug: name });
}
