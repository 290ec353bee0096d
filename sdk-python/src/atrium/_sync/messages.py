from __future__ import annotations

from datetime import datetime

from .._models import NOT_GIVEN, NotGiven
from .._namespace import Namespace
from .._options import RequestOptions, WaitOptions
from .._pages import Page
from .._streaming import EventStream
from .._typing import Unpack
from .._waiting import DEFAULT_WAIT, FIRST_POLL, OnDelta, PostedWithReplies, Posting
from ..types import Message, MessageList, MessageMatches, Reaction, Thread, ThreadPage

MESSAGES = "/spaces/{slug}/sessions/{sessionId}/messages"
MESSAGE = "/spaces/{slug}/messages/{messageId}"


class Messages(Namespace):
    """Messages in a session."""

    def list(
        self,
        slug: str,
        session_id: str,
        *,
        before: str | None = None,
        around: str | None = None,
        parent_message_id: str | None = None,
        limit: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> Page[Message]:
        """Lists a session's messages, newest first. New messages don't shift the pages."""
        query = {
            "before": before,
            "around": around,
            "parentMessageId": parent_message_id,
            "limit": limit,
        }
        return self._list(MessageList, MESSAGES, slug, session_id, query=query, options=options)

    def list_threads(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        unread: bool | None = None,
        **options: Unpack[RequestOptions],
    ) -> Page[Thread]:
        """Lists the threads that you take part in, in all your Projects, unread ones first."""
        query = {"page": page, "limit": limit, "unread": unread}
        return self._list(ThreadPage, "/threads", query=query, options=options)

    def post(
        self,
        slug: str,
        session_id: str,
        *,
        body: str,
        parent_message_id: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Message:
        """Posts a message. Mentioned agents reply later; `post_and_wait` waits for them."""
        fields = {"body": body, "parentMessageId": parent_message_id}
        return self._call(
            Message,
            "POST",
            MESSAGES,
            slug,
            session_id,
            body=fields,
            options=options,
        )

    def post_and_wait(
        self,
        slug: str,
        session_id: str,
        *,
        body: str,
        parent_message_id: str | None = None,
        timeout: float = DEFAULT_WAIT,
        poll_interval: float = FIRST_POLL,
        replies: int | None = None,
        on_delta: OnDelta | None = None,
        **options: Unpack[WaitOptions],
    ) -> PostedWithReplies:
        """
        Posts a message, then polls until every mentioned agent has replied or the timeout expires.
        A failed reply is included, with `status="FAILED"`.

        - `timeout`: seconds to wait for the replies after the message is posted.
        - `poll_interval`: seconds before the first poll. Each pause is longer, up to 5 seconds.
        - `replies`: wait for this many replies instead.
        - `on_delta`: called with a `ReplyDelta` while replies are written.
        """
        posting = Posting(
            slug,
            session_id,
            body,
            parent_message_id,
            timeout,
            poll_interval,
            replies,
            on_delta,
        )
        return self._post_and_wait(posting, options)

    def stream(self, slug: str, session_id: str, **options: Unpack[RequestOptions]) -> EventStream:
        """
        Follows a session: new and changed messages, and replies while they are written. It
        reconnects when the connection is lost; after each `resync`, list the messages again.
        """
        path = "/spaces/{slug}/sessions/{sessionId}/events"
        return self._stream(path, slug, session_id, options=options)

    def search(
        self,
        *,
        query: str,
        project_id: str | None = None,
        session_id: str | None = None,
        author_user_id: str | None = None,
        agent: str | None = None,
        created_after: datetime | None = None,
        created_before: datetime | None = None,
        limit: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> MessageMatches:
        """Finds messages by their words, best match first. Counts as a read."""
        body = {
            "query": query,
            "projectId": project_id,
            "sessionId": session_id,
            "authorUserId": author_user_id,
            "agent": agent,
            "createdAfter": created_after,
            "createdBefore": created_before,
            "limit": limit,
        }
        return self._call(
            MessageMatches,
            "POST",
            "/messages/search",
            body=body,
            options=options,
            is_search=True,
        )

    def get(self, slug: str, message_id: str, **options: Unpack[RequestOptions]) -> Message:
        """Gets a message by id. A deleted message is still returned, with an empty body."""
        return self._call(Message, "GET", MESSAGE, slug, message_id, options=options)

    def edit(
        self,
        slug: str,
        message_id: str,
        *,
        body: str | NotGiven | None = NOT_GIVEN,
        **options: Unpack[RequestOptions],
    ) -> Message:
        """Edits one of your messages. Agents don't reply to an edit."""
        fields = {"body": body}
        return self._call(
            Message,
            "PATCH",
            MESSAGE,
            slug,
            message_id,
            body=fields,
            options=options,
        )

    def delete(self, slug: str, message_id: str, **options: Unpack[RequestOptions]) -> None:
        """Deletes a message. An empty message stays in its place."""
        self._do("DELETE", MESSAGE, slug, message_id, options=options)

    def retry(self, slug: str, message_id: str, **options: Unpack[RequestOptions]) -> Message:
        """Asks an agent to try a failed or stopped reply again. The reply keeps its id."""
        path = "/spaces/{slug}/messages/{messageId}/retry"
        return self._call(Message, "POST", path, slug, message_id, options=options)

    def stop_reply(
        self,
        slug: str,
        message_id: str,
        mention: str,
        **options: Unpack[RequestOptions],
    ) -> Message:
        """Stops the reply to a mention. What was written lands with the status STOPPED."""
        path = "/spaces/{slug}/messages/{messageId}/replies/{mention}/stop"
        return self._call(Message, "POST", path, slug, message_id, mention, options=options)

    def react(
        self,
        slug: str,
        message_id: str,
        *,
        emoji: str,
        **options: Unpack[RequestOptions],
    ) -> Reaction:
        """Adds a reaction. Adding the same emoji again returns the same reaction."""
        path = "/spaces/{slug}/messages/{messageId}/reactions"
        body = {"emoji": emoji}
        return self._call(Reaction, "POST", path, slug, message_id, body=body, options=options)

    def unreact(
        self,
        slug: str,
        message_id: str,
        emoji: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Removes one of your reactions."""
        path = "/spaces/{slug}/messages/{messageId}/reactions/{emoji}"
        self._do("DELETE", path, slug, message_id, emoji, options=options)
