from __future__ import annotations

from collections.abc import Sequence

from .._namespace import Namespace
from .._options import RequestOptions
from .._pages import Page
from .._typing import Unpack
from ..types import (
    CreatedKey,
    CreatedOrgKey,
    Key,
    KeyList,
    OrgKey,
    OrgKeyList,
    OrgKeyScope,
    RotatedKey,
    RotatedOrgKey,
    Scope,
)

ORG_KEYS = "/org/{orgId}/api-keys"


class Keys(Namespace):
    """API keys: your own (v2), and the organisation's keys for the v1 Memory API."""

    def list(self, **options: Unpack[RequestOptions]) -> Page[Key]:
        """Lists your own keys, without their secrets."""
        return self._list(KeyList, "/keys", options=options)

    def create(
        self,
        *,
        name: str,
        scopes: Sequence[Scope],
        **options: Unpack[RequestOptions],
    ) -> CreatedKey:
        """Creates a key. Its `secret` is returned only this once."""
        body = {"name": name, "scopes": scopes}
        return self._call(CreatedKey, "POST", "/keys", body=body, options=options)

    def revoke(self, key_id: str, **options: Unpack[RequestOptions]) -> Key:
        """Revokes one of your keys."""
        return self._call(Key, "DELETE", "/keys/{keyId}", key_id, options=options)

    def rotate(
        self,
        key_id: str,
        *,
        grace_period_seconds: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> RotatedKey:
        """Replaces one of your keys. The new `secret` is returned only this once."""
        path = "/keys/{keyId}/rotate"
        body = {"gracePeriodSeconds": grace_period_seconds}
        return self._call(RotatedKey, "POST", path, key_id, body=body, options=options)

    def list_org_keys(self, org_id: str, **options: Unpack[RequestOptions]) -> Page[OrgKey]:
        """Lists the organisation's v1 keys, without their secrets."""
        return self._list(OrgKeyList, ORG_KEYS, org_id, options=options)

    def create_org_key(
        self,
        org_id: str,
        *,
        name: str,
        scopes: Sequence[OrgKeyScope] | None = None,
        **options: Unpack[RequestOptions],
    ) -> CreatedOrgKey:
        """Creates a v1 key for `AtriumMemory`. Its `key` is returned only this once."""
        body = {"name": name, "scopes": scopes}
        return self._call(CreatedOrgKey, "POST", ORG_KEYS, org_id, body=body, options=options)

    def revoke_org_key(
        self,
        org_id: str,
        key_id: str,
        **options: Unpack[RequestOptions],
    ) -> OrgKey:
        """Revokes a v1 key. Revoking it again keeps the first `revoked_at`."""
        path = "/org/{orgId}/api-keys/{keyId}"
        return self._call(OrgKey, "DELETE", path, org_id, key_id, options=options)

    def rotate_org_key(
        self,
        org_id: str,
        key_id: str,
        *,
        grace_period_seconds: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> RotatedOrgKey:
        """Replaces a v1 key. The new `key` is returned only this once."""
        path = "/org/{orgId}/api-keys/{keyId}/rotate"
        body = {"gracePeriodSeconds": grace_period_seconds}
        return self._call(
            RotatedOrgKey,
            "POST",
            path,
            org_id,
            key_id,
            body=body,
            options=options,
        )
