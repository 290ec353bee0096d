from __future__ import annotations

from .._namespace import Namespace
from .._options import RequestOptions
from .._typing import Unpack
from ..types import Me


class Identity(Namespace):
    """The caller's identity."""

    def me(self, **options: Unpack[RequestOptions]) -> Me:
        """Gets your user, organisation and role, and the key's scopes."""
        return self._call(Me, "GET", "/me", options=options)
