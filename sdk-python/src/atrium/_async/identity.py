# Generated from ../_sync/identity.py by scripts/generate.ts. Change that file, not this one.
from __future__ import annotations

from .._namespace import AsyncNamespace
from .._options import RequestOptions
from .._typing import Unpack
from ..types import Me


class AsyncIdentity(AsyncNamespace):
    """Who calls, and with what rights."""

    async def me(self, **options: Unpack[RequestOptions]) -> Me:
        """The person, the org and the scopes behind the key."""
        return await self._call(Me, "GET", "/me", options=options)
