from __future__ import annotations

from datetime import datetime

from .._models import NOT_GIVEN, NotGiven
from .._namespace import Namespace
from .._options import RequestOptions
from .._pages import Page
from .._typing import Unpack
from ..types import Reminder, ReminderPage


class Reminders(Namespace):
    """What you want to be told again later: a message, a task, or your own words."""

    def create(
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
        return self._call(Reminder, "POST", "/reminders", body=body, options=options)

    def list(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> Page[Reminder]:
        """Lists your reminders that are not due yet, the next one first."""
        query = {"page": page, "limit": limit}
        return self._list(ReminderPage, "/reminders", query=query, options=options)

    def update(
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
        return self._call(Reminder, "PATCH", path, id, body=fields, options=options)

    def cancel(self, id: str, **options: Unpack[RequestOptions]) -> None:
        """Cancels a reminder before its time."""
        self._do("DELETE", "/reminders/{id}", id, options=options)
