from __future__ import annotations

from datetime import datetime

from .._download import Download
from .._models import NOT_GIVEN, NotGiven
from .._namespace import Namespace
from .._options import RequestOptions
from .._pages import Page
from .._typing import Unpack
from ..types import (
    AcceptedInvitation,
    AuditEntry,
    AuditPage,
    CreatedOrg,
    Invitation,
    InvitationLink,
    InvitationList,
    InvitationRole,
    Member,
    MemberList,
    OrgDetails,
    Role,
)

MEMBER = "/org/{orgId}/members/{userId}"
INVITATIONS = "/org/{orgId}/invitations"


class Org(Namespace):
    """The organisation: members, invitations and audit log."""

    def create(self, *, name: str, **options: Unpack[RequestOptions]) -> CreatedOrg:
        """Creates an organisation. This client's key still belongs to its own organisation."""
        return self._call(CreatedOrg, "POST", "/orgs", body={"name": name}, options=options)

    def get(self, org_id: str, **options: Unpack[RequestOptions]) -> OrgDetails:
        """Gets the organisation with its settings."""
        return self._call(OrgDetails, "GET", "/org/{orgId}", org_id, options=options)

    def update(
        self,
        org_id: str,
        *,
        name: str | NotGiven | None = NOT_GIVEN,
        link_previews: bool | NotGiven | None = NOT_GIVEN,
        **options: Unpack[RequestOptions],
    ) -> OrgDetails:
        """Renames the organisation, or turns link previews on or off."""
        body = {"name": name, "linkPreviews": link_previews}
        return self._call(OrgDetails, "PATCH", "/org/{orgId}", org_id, body=body, options=options)

    def list_members(self, org_id: str, **options: Unpack[RequestOptions]) -> Page[Member]:
        """Lists the organisation's members."""
        return self._list(MemberList, "/org/{orgId}/members", org_id, options=options)

    def get_member(self, org_id: str, user_id: str, **options: Unpack[RequestOptions]) -> Member:
        """Gets a member: what they say about themselves, and whether they are there."""
        return self._call(Member, "GET", MEMBER, org_id, user_id, options=options)

    def update_member(
        self,
        org_id: str,
        user_id: str,
        *,
        role: Role,
        **options: Unpack[RequestOptions],
    ) -> Member:
        """Changes a member's role. The last OWNER can't be demoted."""
        body = {"role": role}
        return self._call(Member, "PATCH", MEMBER, org_id, user_id, body=body, options=options)

    def remove_member(
        self,
        org_id: str,
        user_id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Removes a member and revokes their keys. Anyone can remove themselves."""
        self._do("DELETE", MEMBER, org_id, user_id, options=options)

    def list_invitations(
        self,
        org_id: str,
        **options: Unpack[RequestOptions],
    ) -> Page[Invitation]:
        """Lists pending invitations."""
        return self._list(InvitationList, INVITATIONS, org_id, options=options)

    def invite(
        self,
        org_id: str,
        *,
        email: str,
        role: InvitationRole,
        **options: Unpack[RequestOptions],
    ) -> Invitation:
        """Invites a person by email. The invitation is valid for 7 days."""
        body = {"email": email, "role": role}
        return self._call(Invitation, "POST", INVITATIONS, org_id, body=body, options=options)

    def revoke_invitation(
        self,
        org_id: str,
        invitation_id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Revokes an invitation."""
        path = "/org/{orgId}/invitations/{invitationId}"
        self._do("DELETE", path, org_id, invitation_id, options=options)

    def resend_invitation(
        self,
        org_id: str,
        invitation_id: str,
        **options: Unpack[RequestOptions],
    ) -> Invitation:
        """Sends the invitation email again, with a new link. The old link stops working."""
        path = "/org/{orgId}/invitations/{invitationId}/resend"
        return self._call(Invitation, "POST", path, org_id, invitation_id, options=options)

    def invitation_link(
        self,
        org_id: str,
        invitation_id: str,
        **options: Unpack[RequestOptions],
    ) -> InvitationLink:
        """Gets a link to a pending invitation's page, to pass on. It signs nobody in."""
        path = "/org/{orgId}/invitations/{invitationId}/link"
        return self._call(InvitationLink, "GET", path, org_id, invitation_id, options=options)

    def accept_invitation(
        self,
        token: str,
        **options: Unpack[RequestOptions],
    ) -> AcceptedInvitation:
        """Joins an organisation, using the token from the invitation link."""
        path = "/invitations/{token}/accept"
        return self._call(AcceptedInvitation, "POST", path, token, options=options)

    def list_audit(
        self,
        org_id: str,
        *,
        page: int | None = None,
        limit: int | None = None,
        action: str | None = None,
        resource_type: str | None = None,
        resource_id: str | None = None,
        actor_user_id: str | None = None,
        created_after: datetime | None = None,
        created_before: datetime | None = None,
        **options: Unpack[RequestOptions],
    ) -> Page[AuditEntry]:
        """Lists the audit log, newest first. Filters can be combined."""
        query = {
            "page": page,
            "limit": limit,
            "action": action,
            "resourceType": resource_type,
            "resourceId": resource_id,
            "actorUserId": actor_user_id,
            "createdAfter": created_after,
            "createdBefore": created_before,
        }
        return self._list(AuditPage, "/org/{orgId}/audit", org_id, query=query, options=options)

    def export(self, org_id: str, **options: Unpack[RequestOptions]) -> Download:
        """Exports the organisation as a .tar.gz of JSON Lines, one file for each kind of record."""
        return self._download("/org/{orgId}/export", org_id, options=options)
