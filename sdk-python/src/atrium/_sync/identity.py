from __future__ import annotations

from .._download import Download
from .._models import NOT_GIVEN, NotGiven
from .._namespace import Namespace
from .._new_status import NewStatus
from .._options import RequestOptions
from .._typing import Unpack
from ..types import Me, NotificationLevel


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
        email_notifications: NotificationLevel | NotGiven | None = NOT_GIVEN,
        title: str | NotGiven | None = NOT_GIVEN,
        status: NewStatus | NotGiven | None = NOT_GIVEN,
        time_zone: str | NotGiven | None = NOT_GIVEN,
        photo: str | NotGiven | None = NOT_GIVEN,
        **options: Unpack[RequestOptions],
    ) -> Me:
        """Changes what others see of you, or what you are emailed about."""
        body = {
            "name": name,
            "handle": handle,
            "emailNotifications": email_notifications,
            "title": title,
            "status": status,
            "timeZone": time_zone,
            "photo": photo,
        }
        return self._call(Me, "PATCH", "/me", body=body, options=options)

    def photo(self, user_id: str, photo: str, **options: Unpack[RequestOptions]) -> Download:
        """Loads a person's photo. `photo` is the last part of the path in their record."""
        return self._download("/people/{userId}/photos/{photo}", user_id, photo, options=options)

    def export(self, **options: Unpack[RequestOptions]) -> Download:
        """Exports what you wrote and own in this organisation, as a .tar.gz of JSON Lines."""
        return self._download("/me/export", options=options)

    def delete_account(
        self, *, current_password: str | None = None, **options: Unpack[RequestOptions]
    ) -> None:
        """Deletes your account. Only people in the browser can; a key gets an AuthError."""
        body = {"currentPassword": current_password}
        self._do("DELETE", "/me", body=body, options=options)
