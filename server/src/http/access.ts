import type { OrgKeyActor, PersonActor } from '../context.ts';
import { forbidden } from '../errors.ts';
import type { Caller } from './auth.ts';
import type { Route } from './route.ts';

/** Org in the path, then role, then scope: all known before the body is read. */
export function checkAccess(route: Route, caller: Caller, params: Record<string, string>): void {
  const { actor, orgId } = caller;
  requireOrg(route, caller);
  if (params['orgId'] !== undefined && params['orgId'] !== orgId) {
    throw forbidden('wrong_org', otherOrg(caller));
  }
  const role = actor.kind === 'user' ? actor.role : null;
  if (route.roles && !(role && route.roles.includes(role))) {
    throw forbidden('role', `This needs the role ${route.roles.join(' or ')}.`, {
      roles: route.roles,
    });
  }
  if (route.scope !== null) requireScope(actor, route.scope);
}

/** A key is always of an org; a person in the browser may be in none, or name one that is not theirs. */
function requireOrg(route: Route, { orgId, isOutsider }: Caller): void {
  if (isOutsider) {
    throw forbidden('wrong_org', 'You are no member of the org that Atrium-Org names.');
  }
  if (orgId !== null || route.auth !== 'user') return;
  throw forbidden(
    'wrong_org',
    'You are in no org, or no longer in the one you last used: choose one with Atrium-Org, accept an invitation, or make an org with POST /api/orgs.',
  );
}

function otherOrg({ actor }: Caller): string {
  return actor.keyId === null
    ? 'The path names another org than the active one; send its id in Atrium-Org.'
    : 'This key belongs to another org; mint a key in the org you want to call.';
}

export function requireScope(actor: PersonActor | OrgKeyActor, scope: string): void {
  if (actor.scopes.has(scope)) return;
  throw forbidden('missing_scope', `This key lacks the scope ${scope}.`, { scopes: [scope] });
}
