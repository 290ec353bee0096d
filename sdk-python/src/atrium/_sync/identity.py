from __future__ import annotations

from .._download import Download
from .._models import NOT_GIVEN, NotGiven
from .._namespace import Namespace
from .._options import RequestOptions
from .._typing import Unpack
from ..types import EmailChoice, Me


class Identity(Namespace):
    """The caller's identity."""

    def me(self, **options: Unpack[RequestOptions]) -> Me:
        """Gets your user, organisation and role, and the key's scopes."""
        return self._call(Me, "GET", "/me", options=options)

    def update(
        self,
        *,
        name: str | NotGiven | None = NOT_GIVEN,
        handle: str | NotGiven | None = NOT_GIVEN,
        email_notifications: EmailChoice | NotGiven | None = NOT_GIVEN,
        **options: Unpack[RequestOptions],
    ) -> Me:
        """Changes your name, your handle in this organisation, or what you are emailed about."""
        body = {"name": name, "handle": handle, "emailNotifications": email_notifications}
        return self._call(Me, "PATCH", "/me", body=body, options=options)

    def export(self, **options: Unpack[RequestOptions]) -> Download:
        """Exports what you wrote and own in this organisation, as a .tar.gz of JSON Lines."""
        return self._download("/me/export", options=options)

    def delete_account(
        self, *, current_password: str | None = None, **options: Unpack[RequestOptions]
    ) -> None:
        """Deletes your account. Only people in the browser can; a key gets an AuthError."""
        body = {"currentPassword": current_password}
        self._do("DELETE", "/me", body=body, options=options)
