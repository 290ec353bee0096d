import type { UserActor, OrgKeyActor } from '../context.ts';
import { forbidden } from '../errors.ts';
import type { Caller } from './auth.ts';
import type { Route } from './route.ts';

/** Org in the path, then role, then scope: all known before the body is read. */
export function checkAccess(route: Route, caller: Caller, params: Record<string, string>): void {
  const { actor, orgId } = caller;
  if (params['orgId'] !== undefined && params['orgId'] !== orgId) {
    throw forbidden(
      'wrong_org',
      'This key belongs to another org; mint a key in the org you want to call.',
    );
  }
  if (route.roles && !(actor.kind === 'user' && route.roles.includes(actor.role))) {
    throw forbidden('role', `This needs the role ${route.roles.join(' or ')}.`, {
      roles: route.roles,
    });
  }
  if (route.scope !== null) requireScope(actor, route.scope);
}

export function requireScope(actor: UserActor | OrgKeyActor, scope: string): void {
  if (actor.scopes.has(scope)) return;
  throw forbidden('missing_scope', `This key lacks the scope ${scope}.`, { scopes: [scope] });
}
