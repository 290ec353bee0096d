import { defineRoute, type Route } from '../../http/route.ts';
import {
  AcceptedInvitation,
  ChangeRole,
  CreateInvitation,
  Invitation,
  InvitationList,
  InvitationPath,
  Member,
  MemberList,
  MemberPath,
  OrgPath,
  TokenPath,
} from './schema.ts';
import {
  acceptInvitation,
  changeRole,
  inviteMember,
  listInvitations,
  listMembers,
  removeMember,
  resendInvitation,
  revokeInvitation,
} from './service.ts';
import type { InvitationRow, MemberRow } from './store.ts';

const MANAGERS = ['OWNER', 'ADMIN'] as const;

const memberExample = {
  userId: 'cmf3k2v8q0000x5p7h9d4t6wz',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'ADMIN',
  joinedAt: '2026-11-15T09:30:00.000Z',
};
const invitationExample = {
  id: 'cmf3k2v8q0005x5p7h9d4t6wz',
  email: 'grace@example.com',
  role: 'MEMBER',
  status: 'PENDING',
  invitedById: memberExample.userId,
  expiresAt: '2026-11-22T09:30:00.000Z',
  createdAt: '2026-11-15T09:30:00.000Z',
};

export const orgRoutes: Route[] = [
  defineRoute({
    operationId: 'listMembers',
    tag: 'Org',
    method: 'GET',
    path: '/org/{orgId}/members',
    summary: 'List members',
    description: 'Everybody in the org, in the order they joined.',
    auth: 'user',
    scope: 'org:read',
    limit: 'read',
    request: { params: OrgPath },
    status: 200,
    response: MemberList,
    example: { response: { items: [memberExample], total: 1 } },
    async handler(ctx) {
      const members = await listMembers(ctx);
      return { items: members.map(presentMember), total: members.length };
    },
  }),
  defineRoute({
    operationId: 'updateMember',
    tag: 'Org',
    method: 'PATCH',
    path: '/org/{orgId}/members/{userId}',
    summary: "Change a member's role",
    description:
      'OWNERs may change everybody, ADMINs everybody but OWNERs. The last OWNER cannot be demoted.',
    auth: 'user',
    roles: MANAGERS,
    scope: 'org:write',
    limit: 'write',
    request: { params: MemberPath, body: ChangeRole },
    status: 200,
    response: Member,
    example: { request: { role: 'ADMIN' }, response: memberExample },
    handler: async (ctx, { params, body }) =>
      presentMember(await changeRole(ctx, params.userId, body.role)),
  }),
  defineRoute({
    operationId: 'removeMember',
    tag: 'Org',
    method: 'DELETE',
    path: '/org/{orgId}/members/{userId}',
    summary: 'Remove a member',
    description:
      'Their keys of this org are refused from then on. Anybody may remove themselves; the last OWNER cannot be removed.',
    auth: 'user',
    scope: 'org:write',
    limit: 'write',
    request: { params: MemberPath },
    status: 204,
    handler: (ctx, { params }) => removeMember(ctx, params.userId),
  }),
  defineRoute({
    operationId: 'listInvitations',
    tag: 'Org',
    method: 'GET',
    path: '/org/{orgId}/invitations',
    summary: 'List pending invitations',
    description: 'Those that can still be accepted, newest first. Needs the role OWNER or ADMIN.',
    auth: 'user',
    roles: MANAGERS,
    scope: 'org:read',
    limit: 'read',
    request: { params: OrgPath },
    status: 200,
    response: InvitationList,
    example: { response: { items: [invitationExample], total: 1 } },
    async handler(ctx) {
      const invitations = await listInvitations(ctx);
      return { items: invitations.map(presentInvitation), total: invitations.length };
    },
  }),
  defineRoute({
    operationId: 'createInvitation',
    tag: 'Org',
    method: 'POST',
    path: '/org/{orgId}/invitations',
    summary: 'Invite somebody',
    description:
      'Sends a mail with a link that is good for 7 days and one acceptance. In 24 hours an address gets at most 5 such mails, from all orgs together, and an org sends at most 200: past that 409 `limit_reached`. Needs the role OWNER or ADMIN.',
    auth: 'user',
    roles: MANAGERS,
    scope: 'org:write',
    limit: 'write',
    request: { params: OrgPath, body: CreateInvitation },
    status: 201,
    response: Invitation,
    example: {
      request: { email: 'grace@example.com', role: 'MEMBER' },
      response: invitationExample,
    },
    handler: async (ctx, { body }) => presentInvitation(await inviteMember(ctx, body)),
  }),
  defineRoute({
    operationId: 'revokeInvitation',
    tag: 'Org',
    method: 'DELETE',
    path: '/org/{orgId}/invitations/{invitationId}',
    summary: 'Revoke an invitation',
    description: 'Its link is good for nothing from then on. Repeating it changes nothing.',
    extension: true,
    auth: 'user',
    roles: MANAGERS,
    scope: 'org:write',
    limit: 'write',
    request: { params: InvitationPath },
    status: 204,
    handler: (ctx, { params }) => revokeInvitation(ctx, params.invitationId),
  }),
  defineRoute({
    operationId: 'resendInvitation',
    tag: 'Org',
    method: 'POST',
    path: '/org/{orgId}/invitations/{invitationId}/resend',
    summary: 'Send an invitation again',
    description:
      'With a new link, good for another 7 days; the old one is good for nothing. Counts as a mail, as an invitation does: 409 `limit_reached`.',
    extension: true,
    auth: 'user',
    roles: MANAGERS,
    scope: 'org:write',
    limit: 'write',
    request: { params: InvitationPath },
    status: 200,
    response: Invitation,
    example: { response: invitationExample },
    handler: async (ctx, { params }) =>
      presentInvitation(await resendInvitation(ctx, params.invitationId)),
  }),
  defineRoute({
    operationId: 'acceptInvitation',
    tag: 'Org',
    method: 'POST',
    path: '/invitations/{token}/accept',
    summary: 'Accept an invitation',
    description:
      'For the invited e-mail address, with a key of any org. The caller becomes a member of the org that invites.',
    auth: 'person',
    scope: null,
    limit: 'write',
    request: { params: TokenPath },
    status: 200,
    response: AcceptedInvitation,
    example: {
      response: { ...memberExample, org: { id: 'cmf3k2v8q0006x5p7h9d4t6wz', name: 'Acme' } },
    },
    async handler(ctx, { params }) {
      const { member, org } = await acceptInvitation(ctx, params.token);
      return { ...presentMember(member), org };
    },
  }),
];

function presentMember(member: MemberRow) {
  const { userId, email, name, role, joinedAt } = member;
  return { userId, email, name, role, joinedAt: joinedAt.toISOString() };
}

function presentInvitation(invitation: InvitationRow) {
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
