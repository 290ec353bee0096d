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
  ListAuditParams,
  Member,
} from '../types.ts';

/** The org: its members, invitations and audit log. */
export class Org {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Makes an org of your own. This client's key stays with the org it belongs to. */
  create(params: CreateOrg, options?: RequestOptions): Call<CreatedOrg> {
    return this.#api.call('POST', '/orgs', [], params, options);
  }

  /** Who is in the org. */
  listMembers(orgId: string, options?: RequestOptions): PageCall<Member> {
    return this.#api.list('/org/{orgId}/members', [orgId], undefined, options);
  }

  /** Changes a person's role. */
  updateMember(
    orgId: string,
    userId: string,
    params: ChangeRole,
    options?: RequestOptions,
  ): Call<Member> {
    return this.#api.call(
      'PATCH',
      '/org/{orgId}/members/{userId}',
      [orgId, userId],
      params,
      options,
    );
  }

  /** Removes a person from the org, and ends their keys. Anyone may remove themselves. */
  removeMember(orgId: string, userId: string, options?: RequestOptions): Call<void> {
    return this.#api.call(
      'DELETE',
      '/org/{orgId}/members/{userId}',
      [orgId, userId],
      undefined,
      options,
    );
  }

  /** The pending invitations. */
  listInvitations(orgId: string, options?: RequestOptions): PageCall<Invitation> {
    return this.#api.list('/org/{orgId}/invitations', [orgId], undefined, options);
  }

  /** Invites somebody by mail. The invitation lives for 7 days. */
  invite(orgId: string, params: CreateInvitation, options?: RequestOptions): Call<Invitation> {
    return this.#api.call('POST', '/org/{orgId}/invitations', [orgId], params, options);
  }

  /** Takes an invitation back. */
  revokeInvitation(orgId: string, invitationId: string, options?: RequestOptions): Call<void> {
    return this.#api.call(
      'DELETE',
      '/org/{orgId}/invitations/{invitationId}',
      [orgId, invitationId],
      undefined,
      options,
    );
  }

  /** Sends the mail again, with a new link. */
  resendInvitation(
    orgId: string,
    invitationId: string,
    options?: RequestOptions,
  ): Call<Invitation> {
    return this.#api.call(
      'POST',
      '/org/{orgId}/invitations/{invitationId}/resend',
      [orgId, invitationId],
      undefined,
      options,
    );
  }

  /** Joins the org that the token of an invitation's link names. */
  acceptInvitation(token: string, options?: RequestOptions): Call<AcceptedInvitation> {
    return this.#api.call('POST', '/invitations/{token}/accept', [token], undefined, options);
  }

  /** What was done in the org, newest first. */
  listAudit(
    orgId: string,
    params?: ListAuditParams,
    options?: RequestOptions,
  ): PageCall<AuditEntry> {
    return this.#api.list('/org/{orgId}/audit', [orgId], params, options);
  }
}
