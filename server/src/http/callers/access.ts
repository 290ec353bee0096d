import {
  FRESH_MINUTES,
  type OrgKeyActor,
  type PersonActor,
  type Role,
} from '../../core/context.ts';
import { forbidden } from '../../core/errors.ts';
import type { Caller } from './auth.ts';
import { scopesOf, type Route } from '../route.ts';

/** What a caller has to have. */
export type Entrance = Pick<Route, 'auth' | 'roles' | 'scope' | 'moreScopes' | 'needsFreshSignIn'>;

/** Checks the org in the path, then the role, then the scopes, before the body is read. */
export function checkAccess(route: Entrance, caller: Caller, params: Record<string, string>): void {
  const { actor, orgId } = caller;
  requireOrg(route, caller);
  if (params['orgId'] !== undefined && params['orgId'] !== orgId) {
    throw forbidden('wrong_org', otherOrg(caller));
  }
  if (route.roles) requireRole(actor, route.roles);
  for (const scope of scopesOf(route)) requireScope(actor, scope);
  if (route.needsFreshSignIn) requireFreshSignIn(actor);
}

export function requireRole(actor: PersonActor | OrgKeyActor, roles: readonly Role[]): void {
  const role = actor.kind === 'user' ? actor.role : null;
  if (role && roles.includes(role)) return;
  throw forbidden('role', `This requires the role ${roles.join(' or ')}.`, { roles });
}

/** A stolen cookie or an unlocked computer must not be enough to get a key, which outlives the session. */
function requireFreshSignIn(actor: PersonActor | OrgKeyActor): void {
  if (actor.kind !== 'user' || actor.webSessionId === null || actor.isFresh) return;
  throw forbidden(
    'fresh_sign_in',
    `You signed in more than ${FRESH_MINUTES} minutes ago. Confirm your password or sign in again, then repeat this.`,
  );
}

/** A key always belongs to an org. A person in the browser may have none, or name one that is not theirs. */
function requireOrg(route: Entrance, { orgId, isOutsider }: Caller): void {
  if (isOutsider) {
    throw forbidden('wrong_org', 'You are not a member of the organisation in Atrium-Org.');
  }
  if (orgId !== null || route.auth !== 'user') return;
  throw forbidden(
    'wrong_org',
    'You have no organisation, or have left the one you last used. Choose one with Atrium-Org, accept an invitation, or create one with POST /api/orgs.',
  );
}

function otherOrg({ actor }: Caller): string {
  return actor.keyId === null
    ? 'The path names an organisation that is not the active one. Send its id in Atrium-Org.'
    : 'This key belongs to another organisation. Create a key in the organisation you want to call.';
}

export function requireScope(actor: PersonActor | OrgKeyActor, scope: string): void {
  if (actor.scopes.has(scope)) return;
  throw forbidden('missing_scope', `This key lacks the scope ${scope}.`, { scopes: [scope] });
}
