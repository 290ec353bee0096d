# Generated from ../_sync/notifications.py by scripts/generate.ts. Change that file, not this one.
from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from .._namespace import AsyncNamespace
from .._options import RequestOptions
from .._pages import AsyncPager
from .._typing import Unpack
from ..types import Notification, NotificationCount, NotificationList


class AsyncNotifications(AsyncNamespace):
    """What you were told: mentions, replies in threads, answers of agents, tasks."""

    def list(
        self,
        *,
        unread: bool | None = None,
        before: str | None = None,
        limit: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPager[Notification]:
        """Lists your notifications, newest first. The page's `unread_total` counts all of them."""
        query = {"unread": unread, "before": before, "limit": limit}
        return self._list(NotificationList, "/notifications", query=query, options=options)

    async def mark_read(
        self,
        *,
        ids: Sequence[str] | None = None,
        until: datetime | None = None,
        task_id: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> NotificationCount:
        """Marks as read: those with these `ids`, all `until` a time, or all about a task."""
        body = {"ids": ids, "until": until, "taskId": task_id}
        return await self._call(
            NotificationCount, "PUT", "/notifications/read", body=body, options=options
        )
