from __future__ import annotations

from .._namespace import Namespace
from .._options import RequestOptions
from .._typing import Unpack
from ..types import Me


class Identity(Namespace):
    """Who calls, and with what rights."""

    def me(self, **options: Unpack[RequestOptions]) -> Me:
        """The person, the org and the scopes behind the key."""
        return self._call(Me, "GET", "/me", options=options)
