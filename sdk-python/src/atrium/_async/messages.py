# Generated from ../_sync/messages.py by scripts/generate.ts. Change that file, not this one.
from __future__ import annotations

from .._models import NOT_GIVEN, NotGiven
from .._namespace import AsyncNamespace
from .._options import RequestOptions, WaitOptions
from .._pages import AsyncPager
from .._typing import Unpack
from .._waiting import DEFAULT_WAIT, FIRST_POLL, PostedWithReplies, Posting, post_and_wait
from ..types import Message, MessageList, Reaction

MESSAGES = "/spaces/{slug}/sessions/{sessionId}/messages"
MESSAGE = "/spaces/{slug}/messages/{messageId}"


class AsyncMessages(AsyncNamespace):
    """Messages: what is said in a session."""

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
        """The messages of a session, newest first; while you page back, new ones change nothing."""
        query = {
            "before": before,
            "around": around,
            "parentMessageId": parent_message_id,
            "limit": limit,
        }
        return self._list(MessageList, MESSAGES, slug, session_id, query=query, options=options)

    async def post(
        self,
        slug: str,
        session_id: str,
        *,
        body: str,
        parent_message_id: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Message:
        """Posts a message. Those whom it mentions answer later: `post_and_wait` waits for them."""
        fields = {"body": body, "parentMessageId": parent_message_id}
        return await self._call(
            Message,
            "POST",
            MESSAGES,
            slug,
            session_id,
            body=fields,
            options=options,
        )

    async def post_and_wait(
        self,
        slug: str,
        session_id: str,
        *,
        body: str,
        parent_message_id: str | None = None,
        timeout: float = DEFAULT_WAIT,
        poll_interval: float = FIRST_POLL,
        replies: int | None = None,
        **options: Unpack[WaitOptions],
    ) -> PostedWithReplies:
        """
        Posts a message, then asks for the list until every model it mentions has answered, or the
        time is up. A reply that failed is there too, with `status="FAILED"`.

        - `timeout`: seconds to wait for the replies, once the message is posted.
        - `poll_interval`: seconds before the first look; each pause is longer, up to 5.
        - `replies`: how many to wait for, where you know better than the mentions tell.
        """
        posting = Posting(
            slug,
            session_id,
            body,
            parent_message_id,
            timeout,
            poll_interval,
            replies,
        )
        return await self._run(post_and_wait(self._client._settings, posting, options))

    async def get(self, slug: str, message_id: str, **options: Unpack[RequestOptions]) -> Message:
        """A message by its id. A deleted one is still there, with an empty body."""
        return await self._call(Message, "GET", MESSAGE, slug, message_id, options=options)

    async def edit(
        self,
        slug: str,
        message_id: str,
        *,
        body: str | NotGiven | None = NOT_GIVEN,
        **options: Unpack[RequestOptions],
    ) -> Message:
        """Changes the text of a message of yours. Nobody answers an edit."""
        fields = {"body": body}
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
        """Erases a message; an empty one stays in its place."""
        await self._do("DELETE", MESSAGE, slug, message_id, options=options)

    async def retry(self, slug: str, message_id: str, **options: Unpack[RequestOptions]) -> Message:
        """Makes an agent try again where its reply failed. The reply keeps its id."""
        path = "/spaces/{slug}/messages/{messageId}/retry"
        return await self._call(Message, "POST", path, slug, message_id, options=options)

    async def react(
        self,
        slug: str,
        message_id: str,
        *,
        emoji: str,
        **options: Unpack[RequestOptions],
    ) -> Reaction:
        """Reacts to a message. Reacting twice with one emoji is one reaction."""
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
        """Takes a reaction of yours back."""
        path = "/spaces/{slug}/messages/{messageId}/reactions/{emoji}"
        await self._do("DELETE", path, slug, message_id, emoji, options=options)
