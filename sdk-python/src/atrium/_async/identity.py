# Generated from ../_sync/identity.py by scripts/generate.ts. Change that file, not this one.
from __future__ import annotations

from .._namespace import AsyncNamespace
from .._options import RequestOptions
from .._typing import Unpack
from ..types import Me


class AsyncIdentity(AsyncNamespace):
    """The caller's identity."""

    async def me(self, **options: Unpack[RequestOptions]) -> Me:
        """Gets your user, organisation and role, and the key's scopes."""
        return await self._call(Me, "GET", "/me", options=options)
