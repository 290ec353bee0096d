import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { PageCall } from '../page.ts';
import type { Transport } from '../transport.ts';
import type {
  AcceptedInvitation,
  AuditEntry,
  ChangeRole,
  CreatedOrg,
  CreateInvitation,
  CreateOrg,
  Invitation,
  InvitationLink,
  ListAuditParams,
  Member,
  OrgDetails,
  UpdateOrg,
} from '../types.ts';

/** The organisation: members, invitations and audit log. */
export class Org {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Creates an organisation. This client's key still belongs to the organisation it came from. */
  create(params: CreateOrg, options?: RequestOptions): Call<CreatedOrg> {
    return this.#api.path('/orgs').post(params, options);
  }

  /** Gets the organisation with its settings. */
  get(orgId: string, options?: RequestOptions): Call<OrgDetails> {
    return this.#api.path('/org/{orgId}', orgId).get(options);
  }

  /** Renames the organisation, or turns link previews on or off. */
  update(orgId: string, params: UpdateOrg, options?: RequestOptions): Call<OrgDetails> {
    return this.#api.path('/org/{orgId}', orgId).patch(params, options);
  }

  /** Lists the organisation's members. */
  listMembers(orgId: string, options?: RequestOptions): PageCall<Member> {
    return this.#api.path('/org/{orgId}/members', orgId).list(undefined, options);
  }

  /** Gets a member: what they say about themselves, and whether they are there. */
  getMember(orgId: string, userId: string, options?: RequestOptions): Call<Member> {
    return this.#api.path('/org/{orgId}/members/{userId}', orgId, userId).get(options);
  }

  /** Changes a member's role. */
  updateMember(
    orgId: string,
    userId: string,
    params: ChangeRole,
    options?: RequestOptions,
  ): Call<Member> {
    return this.#api.path('/org/{orgId}/members/{userId}', orgId, userId).patch(params, options);
  }

  /** Removes a member and revokes their keys. Anyone can remove themselves. */
  removeMember(orgId: string, userId: string, options?: RequestOptions): Call<void> {
    return this.#api.path('/org/{orgId}/members/{userId}', orgId, userId).delete(options);
  }

  /** Lists pending invitations. */
  listInvitations(orgId: string, options?: RequestOptions): PageCall<Invitation> {
    return this.#api.path('/org/{orgId}/invitations', orgId).list(undefined, options);
  }

  /** Invites a person by email. The invitation is valid for 7 days. */
  invite(orgId: string, params: CreateInvitation, options?: RequestOptions): Call<Invitation> {
    return this.#api.path('/org/{orgId}/invitations', orgId).post(params, options);
  }

  /** Revokes an invitation. */
  revokeInvitation(orgId: string, invitationId: string, options?: RequestOptions): Call<void> {
    return this.#api
      .path('/org/{orgId}/invitations/{invitationId}', orgId, invitationId)
      .delete(options);
  }

  /** Sends the invitation email again, with a new link. The old link stops working. */
  resendInvitation(
    orgId: string,
    invitationId: string,
    options?: RequestOptions,
  ): Call<Invitation> {
    return this.#api
      .path('/org/{orgId}/invitations/{invitationId}/resend', orgId, invitationId)
      .post(undefined, options);
  }

  /** Gets a link to a pending invitation's page, to pass on. It signs nobody in. */
  invitationLink(
    orgId: string,
    invitationId: string,
    options?: RequestOptions,
  ): Call<InvitationLink> {
    return this.#api
      .path('/org/{orgId}/invitations/{invitationId}/link', orgId, invitationId)
      .get(options);
  }

  /** Joins an organisation, using the token from the invitation link. */
  acceptInvitation(token: string, options?: RequestOptions): Call<AcceptedInvitation> {
    return this.#api.path('/invitations/{token}/accept', token).post(undefined, options);
  }

  /** Lists the audit log, newest first. Filters can be combined. */
  listAudit(
    orgId: string,
    params?: ListAuditParams,
    options?: RequestOptions,
  ): PageCall<AuditEntry> {
    return this.#api.path('/org/{orgId}/audit', orgId).list(params, options);
  }

  /** Exports the organisation as a `.tar.gz` of JSON Lines, one file for each kind of record. */
  export(orgId: string, options?: RequestOptions): Call<ReadableStream<Uint8Array>> {
    return this.#api.path('/org/{orgId}/export', orgId).download(options);
  }
}
