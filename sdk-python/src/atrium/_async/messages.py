# Generated from ../_sync/messages.py by scripts/generate.ts. Change that file, not this one.
from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from .._models import NOT_GIVEN, NotGiven
from .._namespace import AsyncNamespace
from .._options import RequestOptions, WaitOptions
from .._pages import AsyncPager
from .._streaming import AsyncEventStream
from .._typing import Unpack
from .._waiting import DEFAULT_WAIT, FIRST_POLL, OnDelta, PostedWithReplies, Posting
from ..types import (
    Message,
    MessageContent,
    MessageList,
    MessageMatches,
    PinPage,
    Reaction,
    SavedMessage,
    SavedPage,
    ScheduledMessage,
    ScheduledMessagePage,
    Thread,
    ThreadPage,
)

MESSAGES = "/spaces/{slug}/sessions/{sessionId}/messages"
MESSAGE = "/spaces/{slug}/messages/{messageId}"


class AsyncMessages(AsyncNamespace):
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
    ) -> AsyncPager[Message]:
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
    ) -> AsyncPager[Thread]:
        """Lists the threads that you take part in, in all your Projects, unread ones first."""
        query = {"page": page, "limit": limit, "unread": unread}
        return self._list(ThreadPage, "/threads", query=query, options=options)

    async def post(
        self,
        slug: str,
        session_id: str,
        *,
        body: str | None = None,
        parent_message_id: str | None = None,
        file_ids: Sequence[str] | None = None,
        send_at: datetime | None = None,
        **options: Unpack[RequestOptions],
    ) -> Message:
        """Posts a message, or at `send_at`. Mentioned agents reply later: see `post_and_wait`."""
        fields = {
            "body": body,
            "parentMessageId": parent_message_id,
            "fileIds": file_ids,
            "sendAt": send_at,
        }
        return await self._call(
            Message,
            "POST",
            MESSAGES,
            slug,
            session_id,
            body=fields,
            options=options,
        )

    def list_scheduled(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPager[ScheduledMessage]:
        """Lists your messages that are sent later, and those that could not be sent."""
        query = {"page": page, "limit": limit}
        path = "/scheduled-messages"
        return self._list(ScheduledMessagePage, path, query=query, options=options)

    async def update_scheduled(
        self,
        id: str,
        *,
        body: str | NotGiven | None = NOT_GIVEN,
        file_ids: Sequence[str] | NotGiven | None = NOT_GIVEN,
        send_at: datetime | NotGiven | None = NOT_GIVEN,
        **options: Unpack[RequestOptions],
    ) -> ScheduledMessage:
        """Changes the text, the files or the time of a scheduled message."""
        fields = {"body": body, "fileIds": file_ids, "sendAt": send_at}
        path = "/scheduled-messages/{id}"
        return await self._call(ScheduledMessage, "PATCH", path, id, body=fields, options=options)

    async def cancel_scheduled(self, id: str, **options: Unpack[RequestOptions]) -> None:
        """Cancels a scheduled message before it is sent."""
        await self._do("DELETE", "/scheduled-messages/{id}", id, options=options)

    async def post_and_wait(
        self,
        slug: str,
        session_id: str,
        *,
        body: str,
        parent_message_id: str | None = None,
        file_ids: Sequence[str] | None = None,
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
            file_ids,
        )
        return await self._post_and_wait(posting, options)

    def stream(self, slug: str, session_id: str, **options: Unpack[RequestOptions]) -> AsyncEventStream:
        """
        Follows a session: new and changed messages, and replies while they are written. It
        reconnects when the connection is lost; after each `resync`, list the messages again.
        """
        path = "/spaces/{slug}/sessions/{sessionId}/events"
        return self._stream(path, slug, session_id, options=options)

    async def search(
        self,
        *,
        query: str,
        project_id: str | None = None,
        session_id: str | None = None,
        author_user_id: str | None = None,
        agent: str | None = None,
        created_after: datetime | None = None,
        created_before: datetime | None = None,
        has: Sequence[MessageContent] | None = None,
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
            "has": has,
            "limit": limit,
        }
        return await self._call(
            MessageMatches,
            "POST",
            "/messages/search",
            body=body,
            options=options,
            is_search=True,
        )

    async def get(self, slug: str, message_id: str, **options: Unpack[RequestOptions]) -> Message:
        """Gets a message by id. A deleted message is still returned, with an empty body."""
        return await self._call(Message, "GET", MESSAGE, slug, message_id, options=options)

    async def edit(
        self,
        slug: str,
        message_id: str,
        *,
        body: str | NotGiven | None = NOT_GIVEN,
        hide_previews: bool | NotGiven | None = NOT_GIVEN,
        **options: Unpack[RequestOptions],
    ) -> Message:
        """Edits one of your messages, or hides its link previews. Agents don't reply to an edit."""
        fields = {"body": body, "hidePreviews": hide_previews}
        return await self._call(
            Message,
            "PATCH",
            MESSAGE,
            slug,
            message_id,
            body=fields,
            options=options,
        )

    async def delete(self, slug: str, message_id: str, **options: Unpack[RequestOptions]) -> None:
        """Deletes a message. An empty message stays in its place."""
        await self._do("DELETE", MESSAGE, slug, message_id, options=options)

    async def retry(
        self,
        slug: str,
        message_id: str,
        *,
        body: str | None = None,
        agent: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Message:
        """Asks an agent to try a failed or stopped reply again. The reply keeps its id.

        With a question of yours, in a session where you are the only person, it asks again, and
        returns the new question. The earlier one and its answers are kept as a branch.
        """
        path = "/spaces/{slug}/messages/{messageId}/retry"
        fields = {"body": body, "agent": agent}
        return await self._call(Message, "POST", path, slug, message_id, body=fields, options=options)

    async def show_branch(
        self,
        slug: str,
        message_id: str,
        **options: Unpack[RequestOptions],
    ) -> Message:
        """Switches to the branch that the message is in. Lists and agents have it from then on."""
        path = "/spaces/{slug}/messages/{messageId}/branch"
        return await self._call(Message, "PUT", path, slug, message_id, options=options)

    async def stop_reply(
        self,
        slug: str,
        message_id: str,
        mention: str,
        **options: Unpack[RequestOptions],
    ) -> Message:
        """Stops the reply to a mention. What was written lands with the status STOPPED."""
        path = "/spaces/{slug}/messages/{messageId}/replies/{mention}/stop"
        return await self._call(Message, "POST", path, slug, message_id, mention, options=options)

    async def react(
        self,
        slug: str,
        message_id: str,
        *,
        emoji: str,
        **options: Unpack[RequestOptions],
    ) -> Reaction:
        """Adds a reaction: one emoji that Unicode 16.0 recommends, such as 🎉 or 👍🏽.

        A message has at most 20 different ones. Adding the same emoji again returns the same
        reaction.
        """
        path = "/spaces/{slug}/messages/{messageId}/reactions"
        body = {"emoji": emoji}
        return await self._call(Reaction, "POST", path, slug, message_id, body=body, options=options)

    async def unreact(
        self,
        slug: str,
        message_id: str,
        emoji: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Removes one of your reactions."""
        path = "/spaces/{slug}/messages/{messageId}/reactions/{emoji}"
        await self._do("DELETE", path, slug, message_id, emoji, options=options)

    async def pin(self, slug: str, message_id: str, **options: Unpack[RequestOptions]) -> Message:
        """Pins a message in its session, for everyone who can read it."""
        path = "/spaces/{slug}/messages/{messageId}/pin"
        return await self._call(Message, "PUT", path, slug, message_id, options=options)

    async def unpin(self, slug: str, message_id: str, **options: Unpack[RequestOptions]) -> None:
        """Unpins a message."""
        path = "/spaces/{slug}/messages/{messageId}/pin"
        await self._do("DELETE", path, slug, message_id, options=options)

    def list_pins(
        self,
        slug: str,
        session_id: str,
        *,
        page: int | None = None,
        limit: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPager[Message]:
        """Lists a session's pinned messages, the last pinned first."""
        query = {"page": page, "limit": limit}
        path = "/spaces/{slug}/sessions/{sessionId}/pins"
        return self._list(PinPage, path, slug, session_id, query=query, options=options)

    async def save(self, slug: str, message_id: str, **options: Unpack[RequestOptions]) -> None:
        """Saves a message for later. Nobody else sees it."""
        path = "/spaces/{slug}/messages/{messageId}/saved"
        await self._do("PUT", path, slug, message_id, options=options)

    async def unsave(self, slug: str, message_id: str, **options: Unpack[RequestOptions]) -> None:
        """Removes a message from your saved ones."""
        path = "/spaces/{slug}/messages/{messageId}/saved"
        await self._do("DELETE", path, slug, message_id, options=options)

    def list_saved(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        session_id: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPager[SavedMessage]:
        """Lists the messages you saved and may still read, the last saved first."""
        query = {"page": page, "limit": limit, "sessionId": session_id}
        return self._list(SavedPage, "/saved", query=query, options=options)
