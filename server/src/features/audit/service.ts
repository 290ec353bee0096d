import type { Actor, Context, PersonActor } from '../../context.ts';
import type { Transaction } from '../../db/types.ts';
import { newId } from '../../ids.ts';
import { recordPage, type RecordPage, type RecordQuery } from '../../record-page.ts';
import { insertAtCommit, listEntries, scanEntries, type AuditRow } from './store.ts';

export type { AuditRow } from './store.ts';

export type AuditAction =
  | `org.${'created' | 'updated' | 'exported'}`
  | `project.${'created' | 'updated' | 'archived' | 'restored' | 'member_added' | 'member_removed'}`
  | `key.${'created' | 'revoked' | 'rotated'}`
  | `org_key.${'created' | 'revoked' | 'rotated'}`
  | `session.${'created' | 'updated' | 'archived' | 'restored'}`
  | `message.${'edited' | 'deleted'}`
  /** People's own additions are not recorded; those that an agent makes for them are. */
  | `memory.${'created' | 'updated' | 'deleted'}`
  | 'billing.checkout_opened'
  | `agent.${'created' | 'updated' | 'archived'}`
  | `mcp_server.${'created' | 'deleted' | 'bound'}`
  | `member.${'role_changed' | 'removed' | 'joined' | 'exported'}`
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

/** For exports. Who may read everything is for the caller to check. */
export async function readAudit(ctx: Context, query: RecordQuery): Promise<RecordPage<AuditRow>> {
  return recordPage(await scanEntries(ctx.db, ctx.orgId, query));
}
