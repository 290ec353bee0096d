from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from .._namespace import Namespace
from .._options import RequestOptions
from .._pages import Page
from .._typing import Unpack
from ..types import Notification, NotificationCount, NotificationList


class Notifications(Namespace):
    """What you were told: mentions, replies in threads, answers of agents, tasks."""

    def list(
        self,
        *,
        unread: bool | None = None,
        before: str | None = None,
        limit: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> Page[Notification]:
        """Lists your notifications, newest first. The page's `unread_total` counts all of them."""
        query = {"unread": unread, "before": before, "limit": limit}
        return self._list(NotificationList, "/notifications", query=query, options=options)

    def mark_read(
        self,
        *,
        ids: Sequence[str] | None = None,
        until: datetime | None = None,
        task_id: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> NotificationCount:
        """Marks as read: those with these `ids`, all `until` a time, or all about a task."""
        body = {"ids": ids, "until": until, "taskId": task_id}
        return self._call(
            NotificationCount, "PUT", "/notifications/read", body=body, options=options
        )
