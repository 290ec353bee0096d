# Generated from ../_sync/identity.py by scripts/generate.ts. Change that file, not this one.
from __future__ import annotations

from .._download import AsyncDownload
from .._models import NOT_GIVEN, NotGiven
from .._namespace import AsyncNamespace
from .._new_status import NewStatus
from .._options import RequestOptions
from .._typing import Unpack
from ..types import Me, NotificationLevel


class AsyncIdentity(AsyncNamespace):
    """The caller's identity."""

    async def me(self, **options: Unpack[RequestOptions]) -> Me:
        """Gets your user, organisation and role, and the key's scopes."""
        return await self._call(Me, "GET", "/me", options=options)

    async def update(
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
        return await self._call(Me, "PATCH", "/me", body=body, options=options)

    async def photo(self, user_id: str, photo: str, **options: Unpack[RequestOptions]) -> AsyncDownload:
        """Loads a person's photo. `photo` is the last part of the path in their record."""
        return await self._download("/people/{userId}/photos/{photo}", user_id, photo, options=options)

    async def export(self, **options: Unpack[RequestOptions]) -> AsyncDownload:
        """Exports what you wrote and own in this organisation, as a .tar.gz of JSON Lines."""
        return await self._download("/me/export", options=options)

    async def delete_account(
        self, *, current_password: str | None = None, **options: Unpack[RequestOptions]
    ) -> None:
        """Deletes your account. Only people in the browser can; a key gets an AuthError."""
        body = {"currentPassword": current_password}
        await self._do("DELETE", "/me", body=body, options=options)
