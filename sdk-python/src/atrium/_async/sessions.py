# Generated from ../_sync/sessions.py by scripts/generate.ts. Change that file, not this one.
from __future__ import annotations

from collections.abc import Sequence

from .._models import NOT_GIVEN, NotGiven
from .._namespace import AsyncNamespace
from .._options import RequestOptions
from .._pages import AsyncPager
from .._typing import Unpack
from ..types import Session, SessionPage, SessionStatus

SESSIONS = "/spaces/{slug}/sessions"
SESSION = "/spaces/{slug}/sessions/{sessionId}"


class AsyncSessions(AsyncNamespace):
    """Sessions: conversations in a Project."""

    def list(
        self,
        slug: str,
        *,
        page: int | None = None,
        limit: int | None = None,
        status: SessionStatus | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPager[Session]:
        """The sessions of a Project; the archived ones with `status="ARCHIVED"`."""
        query = {"page": page, "limit": limit, "status": status}
        return self._list(SessionPage, SESSIONS, slug, query=query, options=options)

    async def create(
        self,
        slug: str,
        *,
        name: str,
        description: str | None = None,
        participant_user_ids: Sequence[str] | None = None,
        default_agent: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Session:
        """Opens a session. Whoever creates it takes part."""
        body = {
            "name": name,
            "description": description,
            "participantUserIds": participant_user_ids,
            "defaultAgent": default_agent,
        }
        return await self._call(Session, "POST", SESSIONS, slug, body=body, options=options)

    async def get(self, slug: str, session_id: str, **options: Unpack[RequestOptions]) -> Session:
        """A session by its id, archived or not."""
        return await self._call(Session, "GET", SESSION, slug, session_id, options=options)

    async def update(
        self,
        slug: str,
        session_id: str,
        *,
        title: str | NotGiven | None = NOT_GIVEN,
        model: str | NotGiven | None = NOT_GIVEN,
        **options: Unpack[RequestOptions],
    ) -> Session:
        """Changes what is given; None clears it."""
        body = {"title": title, "model": model}
        return await self._call(Session, "PATCH", SESSION, slug, session_id, body=body, options=options)

    async def archive(self, slug: str, session_id: str, **options: Unpack[RequestOptions]) -> None:
        """Archives a session. It can be read, and takes no messages."""
        await self._do("DELETE", SESSION, slug, session_id, options=options)

    async def mark_read(
        self,
        slug: str,
        session_id: str,
        *,
        message_id: str,
        **options: Unpack[RequestOptions],
    ) -> Session:
        """Notes the last message that the caller has read, for `unread_count`."""
        path = "/spaces/{slug}/sessions/{sessionId}/read"
        body = {"messageId": message_id}
        return await self._call(Session, "PUT", path, slug, session_id, body=body, options=options)
