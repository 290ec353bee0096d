import { defineRoute, type Route } from '../../http/route.ts';
import { presentList } from '../../lists/present.ts';
import {
  acceptInvitation,
  getInvitationLink,
  inviteMember,
  listInvitations,
  resendInvitation,
  revokeInvitation,
} from './invitations/service.ts';
import { presentInvitation, presentMember, presentOrgDetails } from './present.ts';
import {
  AcceptedInvitation,
  ChangeRole,
  CreateInvitation,
  Invitation,
  InvitationLink,
  InvitationList,
  InvitationPath,
  Member,
  MemberList,
  MemberPath,
  OrgDetails,
  OrgPath,
  TokenPath,
  UpdateOrg,
} from './schema.ts';
import { getMember, listSeenMembers, seeMember } from './presence.ts';
import { changeRole, getOrg, isMember, removeMember, updateOrg } from './service.ts';

const MANAGERS = ['OWNER', 'ADMIN'] as const;

const memberExample = {
  userId: 'cmf3k2v8q0000x5p7h9d4t6wz',
  email: 'ada@example.com',
  name: 'Ada',
  handle: 'ada',
  role: 'ADMIN',
  title: 'Head of research',
  photo: '/api/people/cmf3k2v8q0000x5p7h9d4t6wz/photos/Qm9vPz3kR1x0cVt7uYhK2w',
  status: { emoji: '🎧', text: 'In a meeting', until: '2026-11-18T10:00:00.000Z' },
  timeZone: 'Europe/Berlin',
  joinedAt: '2026-11-15T09:30:00.000Z',
  presence: 'ACTIVE',
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

const orgExample = {
  id: 'cmf3k2v8q0006x5p7h9d4t6wz',
  name: 'Acme Research',
  linkPreviews: true,
  linkPreviewsAvailable: true,
  createdAt: '2026-11-15T09:30:00.000Z',
};

const read = { tag: 'Org', auth: 'user', scope: 'org:read', limit: 'read' } as const;
const write = { tag: 'Org', auth: 'user', scope: 'org:write', limit: 'write' } as const;

export const orgRoutes: Route[] = [
  defineRoute({
    ...read,
    operationId: 'getOrg',
    method: 'GET',
    path: '/org/{orgId}',
    summary: 'Get the organisation',
    description: 'Its name and settings.',
    extension: true,
    request: { params: OrgPath },
    response: OrgDetails,
    example: { response: orgExample },
    handler: async (ctx) => presentOrgDetails(await getOrg(ctx), ctx),
  }),
  defineRoute({
    ...write,
    operationId: 'updateOrg',
    method: 'PATCH',
    path: '/org/{orgId}',
    summary: 'Change the organisation',
    description:
      'Its name, which everyone sees at once, and whether messages get previews of links. Requires OWNER or ADMIN.',
    extension: true,
    roles: MANAGERS,
    request: { params: OrgPath, body: UpdateOrg },
    response: OrgDetails,
    example: {
      request: { name: orgExample.name },
      response: orgExample,
    },
    handler: async (ctx, { body }) => presentOrgDetails(await updateOrg(ctx, body), ctx),
  }),
  defineRoute({
    ...read,
    operationId: 'listMembers',
    method: 'GET',
    path: '/org/{orgId}/members',
    summary: 'List members',
    description:
      'Everyone in the organisation, in the order they joined, with what they say about themselves and whether they are there.',
    request: { params: OrgPath },
    response: MemberList,
    example: { response: { items: [memberExample], total: 1 } },
    handler: async (ctx) => presentList(await listSeenMembers(ctx), presentMember),
  }),
  defineRoute({
    ...read,
    operationId: 'getMember',
    method: 'GET',
    path: '/org/{orgId}/members/{userId}',
    summary: 'Get a member',
    description: 'One record of the list.',
    extension: true,
    request: { params: MemberPath },
    response: Member,
    example: { response: memberExample },
    handler: async (ctx, { params }) => presentMember(await getMember(ctx, params.userId)),
  }),
  defineRoute({
    ...write,
    operationId: 'updateMember',
    method: 'PATCH',
    path: '/org/{orgId}/members/{userId}',
    summary: "Change a member's role",
    description:
      'An OWNER may change anyone. An ADMIN may change anyone except OWNERs. The last OWNER cannot be demoted.',
    roles: MANAGERS,
    request: { params: MemberPath, body: ChangeRole },
    response: Member,
    example: { request: { role: 'ADMIN' }, response: memberExample },
    handler: async (ctx, { params, body }) =>
      presentMember(
        await seeMember(ctx, params.userId, () => changeRole(ctx, params.userId, body.role)),
      ),
  }),
  defineRoute({
    ...write,
    operationId: 'removeMember',
    method: 'DELETE',
    path: '/org/{orgId}/members/{userId}',
    summary: 'Remove a member',
    description:
      "The person's keys for this organisation stop working at once. Anyone may remove themselves. The last OWNER cannot be removed.",
    request: { params: MemberPath },
    status: 204,
    handler: (ctx, { params }) => removeMember(ctx, params.userId),
  }),
  defineRoute({
    ...read,
    operationId: 'listInvitations',
    method: 'GET',
    path: '/org/{orgId}/invitations',
    summary: 'List pending invitations',
    description: 'Invitations that can still be accepted, newest first. Requires OWNER or ADMIN.',
    roles: MANAGERS,
    request: { params: OrgPath },
    response: InvitationList,
    example: { response: { items: [invitationExample], total: 1 } },
    handler: async (ctx) => presentList(await listInvitations(ctx), presentInvitation),
  }),
  defineRoute({
    ...write,
    operationId: 'createInvitation',
    method: 'POST',
    path: '/org/{orgId}/invitations',
    summary: 'Invite someone',
    description:
      'Sends an email with a link that is valid for 7 days and can be accepted once. In 24 hours, an address gets at most 5 invitation emails from all organisations together, and an organisation sends at most 200; above that, 409 `limit_reached`. Requires OWNER or ADMIN.',
    roles: MANAGERS,
    request: { params: OrgPath, body: CreateInvitation },
    mayReplay: 'always',
    status: 201,
    response: Invitation,
    example: {
      request: { email: 'grace@example.com', role: 'MEMBER' },
      response: invitationExample,
    },
    handler: async (ctx, { body }) => presentInvitation(await inviteMember(ctx, body)),
  }),
  defineRoute({
    ...write,
    operationId: 'revokeInvitation',
    method: 'DELETE',
    path: '/org/{orgId}/invitations/{invitationId}',
    summary: 'Revoke an invitation',
    description: 'The link stops working at once. Revoking it again changes nothing.',
    extension: true,
    roles: MANAGERS,
    request: { params: InvitationPath },
    status: 204,
    handler: (ctx, { params }) => revokeInvitation(ctx, params.invitationId),
  }),
  defineRoute({
    ...write,
    operationId: 'resendInvitation',
    method: 'POST',
    path: '/org/{orgId}/invitations/{invitationId}/resend',
    summary: 'Resend an invitation',
    description:
      'Sends a new link that is valid for 7 days. The old link stops working. It counts towards the limits for invitation emails: 409 `limit_reached`.',
    extension: true,
    roles: MANAGERS,
    request: { params: InvitationPath },
    mayReplay: 'always',
    response: Invitation,
    example: { response: invitationExample },
    handler: async (ctx, { params }) =>
      presentInvitation(await resendInvitation(ctx, params.invitationId)),
  }),
  defineRoute({
    ...read,
    operationId: 'getInvitationLink',
    method: 'GET',
    path: '/org/{orgId}/invitations/{invitationId}/link',
    summary: 'Get a link to an invitation',
    description:
      "Opens the invitation's page, and signs nobody in: the person who opens it proves by email that the invited address is theirs. A resend replaces it. Requires OWNER or ADMIN.",
    extension: true,
    roles: MANAGERS,
    request: { params: InvitationPath },
    response: InvitationLink,
    example: {
      response: {
        url: 'https://atrium.example.com/invite/cmf3k2v8q0005x5p7h9d4t6wz.4fT0bXyqk1Wc8ZrLm3Vd',
      },
    },
    handler: async (ctx, { params }) => ({
      url: await getInvitationLink(ctx, params.invitationId),
    }),
  }),
  defineRoute({
    operationId: 'acceptInvitation',
    tag: 'Org',
    method: 'POST',
    path: '/invitations/{token}/accept',
    summary: 'Accept an invitation',
    description:
      "The caller's email address must be the invited one; the key may belong to any organisation. The caller becomes a member of the organisation that sent the invitation.",
    auth: 'person',
    scope: null,
    limit: 'write',
    request: { params: TokenPath },
    mayReplay: async (ctx, _input, shown) => !shown || isMember(ctx, shown.org.id),
    response: AcceptedInvitation,
    example: {
      response: { ...memberExample, org: { id: 'cmf3k2v8q0006x5p7h9d4t6wz', name: 'Acme' } },
    },
    async handler(ctx, { params }) {
      const { member, org } = await acceptInvitation(ctx, params.token);
      const presence = ctx.presence.of(org.id, member.userId);
      return { ...presentMember({ ...member, presence }), org };
    },
  }),
];
