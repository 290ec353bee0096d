import type { ShownEntry } from '../audit/service.ts';
import type { InvitationRow } from './invitations/store.ts';
import type { MemberRow, OrgRow } from './store.ts';

export function presentOrg({ id, name, createdAt }: OrgRow) {
  return { id, name, createdAt: createdAt.toISOString() };
}

export function presentMember(member: MemberRow) {
  const { userId, email, name, handle, role, joinedAt } = member;
  return { userId, email, name, handle, role, joinedAt: joinedAt.toISOString() };
}

export function presentInvitation(invitation: InvitationRow) {
  const { id, email, role, status, invitedById, expiresAt, createdAt } = invitation;
  return {
    id,
    email,
    role,
    status,
    invitedById,
    expiresAt: expiresAt.toISOString(),
    createdAt: createdAt.toISOString(),
  };
}

export function presentAuditEntry(entry: ShownEntry) {
  return {
    id: entry.id,
    action: entry.action,
    resourceType: entry.resourceType,
    resourceId: entry.resourceId,
    resourceName: entry.resourceName,
    actorKind: entry.actorKind,
    actorUserId: entry.actorUserId,
    keyId: entry.keyId,
    requestId: entry.requestId,
    details: entry.details,
    createdAt: entry.createdAt.toISOString(),
  };
}
