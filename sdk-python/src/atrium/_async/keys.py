# Generated from ../_sync/keys.py by scripts/generate.ts. Change that file, not this one.
from __future__ import annotations

from collections.abc import Sequence

from .._namespace import AsyncNamespace
from .._options import RequestOptions
from .._pages import AsyncPager
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


class AsyncKeys(AsyncNamespace):
    """API keys: your own (v2), and the organisation's keys for the v1 Memory API."""

    def list(self, **options: Unpack[RequestOptions]) -> AsyncPager[Key]:
        """Lists your own keys, without their secrets."""
        return self._list(KeyList, "/keys", options=options)

    async def create(
        self,
        *,
        name: str,
        scopes: Sequence[Scope],
        **options: Unpack[RequestOptions],
    ) -> CreatedKey:
        """Creates a key. Its `secret` is returned only this once."""
        body = {"name": name, "scopes": scopes}
        return await self._call(CreatedKey, "POST", "/keys", body=body, options=options)

    async def revoke(self, key_id: str, **options: Unpack[RequestOptions]) -> Key:
        """Revokes one of your keys."""
        return await self._call(Key, "DELETE", "/keys/{keyId}", key_id, options=options)

    async def rotate(
        self,
        key_id: str,
        *,
        grace_period_seconds: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> RotatedKey:
        """Replaces one of your keys. The new `secret` is returned only this once."""
        path = "/keys/{keyId}/rotate"
        body = {"gracePeriodSeconds": grace_period_seconds}
        return await self._call(RotatedKey, "POST", path, key_id, body=body, options=options)

    def list_org_keys(self, org_id: str, **options: Unpack[RequestOptions]) -> AsyncPager[OrgKey]:
        """Lists the organisation's v1 keys, without their secrets."""
        return self._list(OrgKeyList, ORG_KEYS, org_id, options=options)

    async def create_org_key(
        self,
        org_id: str,
        *,
        name: str,
        scopes: Sequence[OrgKeyScope] | None = None,
        **options: Unpack[RequestOptions],
    ) -> CreatedOrgKey:
        """Creates a v1 key for `AtriumMemory`. Its `key` is returned only this once."""
        body = {"name": name, "scopes": scopes}
        return await self._call(CreatedOrgKey, "POST", ORG_KEYS, org_id, body=body, options=options)

    async def revoke_org_key(
        self,
        org_id: str,
        key_id: str,
        **options: Unpack[RequestOptions],
    ) -> OrgKey:
        """Revokes a v1 key. Revoking it again keeps the first `revoked_at`."""
        path = "/org/{orgId}/api-keys/{keyId}"
        return await self._call(OrgKey, "DELETE", path, org_id, key_id, options=options)

    async def rotate_org_key(
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
        return await self._call(
            RotatedOrgKey,
            "POST",
            path,
            org_id,
            key_id,
            body=body,
            options=options,
        )
