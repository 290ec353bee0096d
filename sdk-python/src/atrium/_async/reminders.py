# Generated from ../_sync/reminders.py by scripts/generate.ts. Change that file, not this one.
from __future__ import annotations

from datetime import datetime

from .._models import NOT_GIVEN, NotGiven
from .._namespace import AsyncNamespace
from .._options import RequestOptions
from .._pages import AsyncPager
from .._typing import Unpack
from ..types import Reminder, ReminderPage


class AsyncReminders(AsyncNamespace):
    """What you want to be told again later: a message, a task, or your own words."""

    async def create(
        self,
        *,
        message_id: str | None = None,
        task_id: str | None = None,
        text: str | None = None,
        at: datetime,
        **options: Unpack[RequestOptions],
    ) -> Reminder:
        """Sets a reminder: give one of message, task and text. You are told once."""
        body = {"messageId": message_id, "taskId": task_id, "text": text, "at": at}
        return await self._call(Reminder, "POST", "/reminders", body=body, options=options)

    def list(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPager[Reminder]:
        """Lists your reminders that are not due yet, the next one first."""
        query = {"page": page, "limit": limit}
        return self._list(ReminderPage, "/reminders", query=query, options=options)

    async def update(
        self,
        id: str,
        *,
        at: datetime | NotGiven | None = NOT_GIVEN,
        text: str | NotGiven | None = NOT_GIVEN,
        **options: Unpack[RequestOptions],
    ) -> Reminder:
        """Changes a reminder's time, or your own words."""
        fields = {"at": at, "text": text}
        path = "/reminders/{id}"
        return await self._call(Reminder, "PATCH", path, id, body=fields, options=options)

    async def cancel(self, id: str, **options: Unpack[RequestOptions]) -> None:
        """Cancels a reminder before its time."""
        await self._do("DELETE", "/reminders/{id}", id, options=options)
