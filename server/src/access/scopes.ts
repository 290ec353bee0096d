import type { UserContext } from '../core/context.ts';
import { forbidden } from '../core/errors.ts';

/** A key can neither create a key that may do more than itself, nor get by another way what it may not read. */
export function requireScopes(ctx: UserContext, scopes: readonly string[]): void {
  const missing = scopes.filter((scope) => !ctx.actor.scopes.has(scope));
  if (missing.length === 0) return;
  throw forbidden('missing_scope', `The calling key doesn't have ${missing.join(', ')} itself.`, {
    scopes: missing,
  });
}
