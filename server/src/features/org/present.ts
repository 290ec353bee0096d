import type { Context } from '../../core/context.ts';
import type { Presence } from '../../core/presence.ts';
import { presentProfile } from '../../core/profile.ts';
import type { ShownEntry } from '../audit/service.ts';
import type { InvitationRow } from './invitations/store.ts';
import type { MemberRow, OrgRow } from './store.ts';

export function presentOrg({ id, name, linkPreviews, createdAt }: OrgRow) {
  return { id, name, linkPreviews, createdAt: createdAt.toISOString() };
}

export function presentOrgDetails(org: OrgRow, { webPages }: Pick<Context, 'webPages'>) {
  return { ...presentOrg(org), linkPreviewsAvailable: webPages !== undefined };
}

/** Without whether they are there, which no export contains. */
export function presentStoredMember(member: MemberRow) {
  const { userId, email, name, handle, role, joinedAt } = member;
  const profile = presentProfile(userId, member);
  return { userId, email, name, handle, role, ...profile, joinedAt: joinedAt.toISOString() };
}

export function presentMember({ presence, ...member }: MemberRow & { presence: Presence }) {
  return { ...presentStoredMember(member), presence };
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
    actorAgent: typeof entry.details['agent'] === 'string' ? entry.details['agent'] : null,
    keyId: entry.keyId,
    requestId: entry.requestId,
    details: entry.details,
    createdAt: entry.createdAt.toISOString(),
  };
}
