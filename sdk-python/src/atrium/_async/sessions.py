# Generated from ../_sync/sessions.py by scripts/generate.ts. Change that file, not this one.
from __future__ import annotations

from collections.abc import Sequence

from .._models import NOT_GIVEN, NotGiven
from .._namespace import AsyncNamespace
from .._options import RequestOptions
from .._pages import AsyncPager
from .._typing import Unpack
from ..types import (
    AllSessionsPage,
    NotificationLevel,
    Session,
    SessionAccess,
    SessionDetails,
    SessionPage,
    SessionReach,
    SessionStatus,
)

SESSIONS = "/spaces/{slug}/sessions"
SESSION = "/spaces/{slug}/sessions/{sessionId}"


class AsyncSessions(AsyncNamespace):
    """Sessions: conversations in a Project. `slug` is the Project's slug."""

    def list(
        self,
        slug: str,
        *,
        page: int | None = None,
        limit: int | None = None,
        status: SessionStatus | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPager[Session]:
        """Lists a Project's sessions. `status="ARCHIVED"` lists the archived ones instead."""
        query = {"page": page, "limit": limit, "status": status}
        return self._list(SessionPage, SESSIONS, slug, query=query, options=options)

    def list_all(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        status: SessionStatus | None = None,
        followed: bool | None = None,
        unread: bool | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPager[Session]:
        """Lists the sessions of all your Projects, unread ones first.

        `followed=True` lists only those that you follow.
        """
        query = {
            "page": page,
            "limit": limit,
            "status": status,
            "followed": followed,
            "unread": unread,
        }
        return self._list(AllSessionsPage, "/sessions", query=query, options=options)

    async def open_direct(self, *, user_ids: Sequence[str], **options: Unpack[RequestOptions]) -> Session:
        """Returns the one conversation of you and these people, and makes it if you have none.

        Its `slug` in other methods is `direct`.
        """
        body = {"userIds": user_ids}
        return await self._call(Session, "POST", "/direct", body=body, options=options)

    async def create(
        self,
        slug: str,
        *,
        name: str,
        description: str | None = None,
        access: SessionAccess | None = None,
        participant_user_ids: Sequence[str] | None = None,
        is_for_everyone: bool | None = None,
        default_agent: str | None = None,
        answers_without_mention: bool | None = None,
        is_unnamed: bool | None = None,
        **options: Unpack[RequestOptions],
    ) -> Session:
        """Creates a session. You become a participant. `access="PARTICIPANTS"` makes it private."""
        body = {
            "name": name,
            "description": description,
            "access": access,
            "participantUserIds": participant_user_ids,
            "isForEveryone": is_for_everyone,
            "defaultAgent": default_agent,
            "answersWithoutMention": answers_without_mention,
            "isUnnamed": is_unnamed,
        }
        return await self._call(Session, "POST", SESSIONS, slug, body=body, options=options)

    async def get(self, slug: str, session_id: str, **options: Unpack[RequestOptions]) -> SessionDetails:
        """Gets a session by id, archived or not."""
        return await self._call(SessionDetails, "GET", SESSION, slug, session_id, options=options)

    async def update(
        self,
        slug: str,
        session_id: str,
        *,
        title: str | NotGiven | None = NOT_GIVEN,
        model: str | NotGiven | None = NOT_GIVEN,
        participant_user_ids: Sequence[str] | NotGiven | None = NOT_GIVEN,
        answers_without_mention: bool | NotGiven | None = NOT_GIVEN,
        is_for_everyone: bool | NotGiven | None = NOT_GIVEN,
        **options: Unpack[RequestOptions],
    ) -> Session:
        """Updates the given fields. None clears the title, or the model that replies to `@model`.

        `participant_user_ids` replaces the participants. `answers_without_mention` has messages
        that mention nobody answered, as long as one person is alone in the session.
        `is_for_everyone` has every member of the Project follow it, unless they leave.
        """
        body = {
            "title": title,
            "model": model,
            "participantUserIds": participant_user_ids,
            "answersWithoutMention": answers_without_mention,
            "isForEveryone": is_for_everyone,
        }
        return await self._call(Session, "PATCH", SESSION, slug, session_id, body=body, options=options)

    async def archive(self, slug: str, session_id: str, **options: Unpack[RequestOptions]) -> None:
        """Archives a session. Its messages stay readable."""
        await self._do("DELETE", SESSION, slug, session_id, options=options)

    async def restore(self, slug: str, session_id: str, **options: Unpack[RequestOptions]) -> Session:
        """Undoes an archive."""
        path = "/spaces/{slug}/sessions/{sessionId}/restore"
        return await self._call(Session, "POST", path, slug, session_id, options=options)

    async def mark_read(
        self,
        slug: str,
        session_id: str,
        *,
        message_id: str,
        parent_message_id: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Session:
        """Sets your read mark in a session, or with `parent_message_id` in a thread."""
        path = "/spaces/{slug}/sessions/{sessionId}/read"
        body = {"messageId": message_id, "parentMessageId": parent_message_id}
        return await self._call(Session, "PUT", path, slug, session_id, body=body, options=options)

    async def mark_unread(
        self,
        slug: str,
        session_id: str,
        *,
        message_id: str,
        **options: Unpack[RequestOptions],
    ) -> Session:
        """Makes a message and everything after it unread again."""
        path = "/spaces/{slug}/sessions/{sessionId}/unread"
        body = {"messageId": message_id}
        return await self._call(Session, "PUT", path, slug, session_id, body=body, options=options)

    async def mark_all_read(self, **options: Unpack[RequestOptions]) -> None:
        """Marks everything in your Projects as read, threads included."""
        await self._do("PUT", "/sessions/read", options=options)

    async def follow(
        self,
        slug: str,
        session_id: str,
        *,
        level: NotificationLevel | None = None,
        **options: Unpack[RequestOptions],
    ) -> Session:
        """Follows a session, and with `level` says what to be told about there."""
        path = "/spaces/{slug}/sessions/{sessionId}/follow"
        body = {"level": level}
        return await self._call(Session, "PUT", path, slug, session_id, body=body, options=options)

    async def leave(self, slug: str, session_id: str, **options: Unpack[RequestOptions]) -> None:
        """Leaves a session, until you write in it or are mentioned. You can still read it."""
        path = "/spaces/{slug}/sessions/{sessionId}/follow"
        await self._do("DELETE", path, slug, session_id, options=options)

    async def get_reach(
        self,
        slug: str,
        session_id: str,
        **options: Unpack[RequestOptions],
    ) -> SessionReach:
        """Counts whom a message with @here or @everyone would tell now, without you."""
        path = "/spaces/{slug}/sessions/{sessionId}/reach"
        return await self._call(SessionReach, "GET", path, slug, session_id, options=options)

    async def mute(
        self,
        slug: str,
        session_id: str,
        *,
        muted: bool,
        **options: Unpack[RequestOptions],
    ) -> Session:
        """Sets your level in a session to NONE, or back to ALL."""
        path = "/spaces/{slug}/sessions/{sessionId}/mute"
        body = {"muted": muted}
        return await self._call(Session, "PUT", path, slug, session_id, body=body, options=options)
