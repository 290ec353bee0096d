import type { Actor, Context, PersonActor } from '../../context.ts';
import type { Transaction } from '../../db/types.ts';
import { newId } from '../../ids.ts';
import { insertAtCommit, listEntries } from './store.ts';

export type { AuditRow } from './store.ts';

export type AuditAction =
  | 'org.created'
  | `project.${'created' | 'updated' | 'archived' | 'member_added' | 'member_removed'}`
  | `key.${'created' | 'revoked' | 'rotated'}`
  | `org_key.${'created' | 'revoked' | 'rotated'}`
  | `session.${'created' | 'updated' | 'archived'}`
  | `message.${'edited' | 'deleted'}`
  /** People's own additions are not recorded; those that an agent makes for them are. */
  | `memory.${'created' | 'updated' | 'deleted'}`
  | 'billing.checkout_opened'
  | `agent.${'created' | 'updated' | 'archived'}`
  | `mcp_server.${'created' | 'deleted' | 'bound'}`
  | `member.${'role_changed' | 'removed' | 'joined'}`
  | `invitation.${'created' | 'resent' | 'revoked' | 'accepted'}`;

/** Records a change in its own transaction. `details` never contains a secret or the content. */
export function recordAudit(
  ctx: Omit<Context<Actor | PersonActor>, 'db'> & { db: Transaction },
  action: AuditAction,
  resourceId: string,
  details: Record<string, unknown> = {},
): void {
  const { actor } = ctx;
  insertAtCommit(ctx.db, ctx.orgId, {
    id: newId(),
    action,
    resourceType: action.slice(0, action.indexOf('.')),
    resourceId,
    actorKind: actor.kind,
    actorUserId: actor.kind === 'user' ? actor.userId : null,
    keyId: actor.kind === 'system' ? null : actor.keyId,
    requestId: ctx.requestId,
    details,
  });
}

export function listAudit(ctx: Context, paging: { page: number; limit: number }) {
  return listEntries(ctx.db, ctx.orgId, paging);
}
