"""Posting a message, then polling until its replies have arrived."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import httpx

from ._flow import Flow, ListSpec, Sleep, send, send_for, send_for_page, validated
from ._options import RequestOptions, Settings, WaitOptions, read_timeout
from ._request import PreparedRequest, RequestSpec
from .errors import TimeoutError
from .types import Message, MessageList

T = TypeVar("T")

MESSAGES = "/spaces/{slug}/sessions/{sessionId}/messages"
MESSAGE = "/spaces/{slug}/messages/{messageId}"
DEFAULT_WAIT = 130.0
"""The server gives a model 120 seconds, then lands a FAILED reply."""
FIRST_POLL = 0.5
MAX_POLL = 5.0


@dataclass(frozen=True)
class PostedWithReplies:
    """The result of `messages.post_and_wait`."""

    message: Message
    replies: list[Message]
    """The AGENT messages, oldest first."""
    is_complete: bool
    """False if the timeout expired first."""


@dataclass(frozen=True)
class ReplyDelta:
    """A reply grew, or started over. What `on_delta` of `messages.post_and_wait` is called with."""

    mention: str
    """Who is writing, as in `mentions`."""
    delta: str
    """What was added."""
    text: str
    """All that was written until now."""


OnDelta: TypeAlias = Callable[[ReplyDelta], object]


@dataclass(frozen=True)
class Posting:
    slug: str
    session_id: str
    body: str
    parent_message_id: str | None
    timeout: float
    poll_interval: float
    replies: int | None
    on_delta: OnDelta | None
    file_ids: Sequence[str] | None = None


class _TimeIsUp(Exception):
    pass


def post_and_wait(
    settings: Settings,
    posting: Posting,
    options: WaitOptions,
    on_posted: Callable[[Message], None],
) -> Flow[PostedWithReplies]:
    ids = (posting.slug, posting.session_id)
    deadline_in, pause = read_timeout(posting.timeout), read_timeout(posting.poll_interval)
    body = {
        "body": posting.body,
        "parentMessageId": posting.parent_message_id,
        "fileIds": posting.file_ids,
    }
    sending = RequestOptions(
        max_retries=options.get("max_retries"),
        headers=options.get("headers"),
        idempotency_key=options.get("idempotency_key"),
    )
    message = yield from send_for(
        settings, Message, RequestSpec("POST", MESSAGES, ids, {}, body, sending)
    )
    looking = RequestOptions(max_retries=options.get("max_retries"), headers=options.get("headers"))
    deadline = time.monotonic() + deadline_in
    question = RequestSpec("GET", MESSAGE, (posting.slug, message.id), options=looking)
    pending = len(message.pending_replies)
    found: list[Message] = []
    if pending > 0:
        on_posted(message)
    try:
        while pending > 0 if posting.replies is None else len(found) < posting.replies:
            yield from _until(deadline, _sleep(pause))
            pause = min(pause * 1.5, MAX_POLL)
            reply = yield from _until(deadline, send(settings, question))
            # A reply that lands also changes the question, in the same commit.
            if reply.is_unchanged:
                continue
            question = dataclasses.replace(question, known_tag=reply.etag)
            left = len(validated(Message, reply, question.name).pending_replies)
            # Listed after the question was read: every reply that is no longer pending is there.
            if posting.replies is not None or left < pending:
                found = yield from _until(deadline, _find_replies(settings, ids, message, looking))
            pending = left
    except _TimeIsUp:
        return PostedWithReplies(message, found, is_complete=False)
    return PostedWithReplies(message, found, is_complete=True)


def _until(deadline: float, flow: Flow[T]) -> Flow[T]:
    """Runs the flow until the deadline."""
    try:
        step = next(flow)
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise _TimeIsUp
            try:
                answer = yield _shortened(step, left)
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                step = flow.throw(error)
            else:
                step = flow.send(answer)
    except StopIteration as stop:
        result: T = stop.value
        return result
    except TimeoutError:
        if time.monotonic() < deadline:
            raise
        raise _TimeIsUp from None


def _shortened(step: PreparedRequest | Sleep, left: float) -> PreparedRequest | Sleep:
    if isinstance(step, Sleep):
        return Sleep(min(step.seconds, left))
    return dataclasses.replace(step, timeout=min(step.timeout, left))


def _sleep(seconds: float) -> Flow[None]:
    yield Sleep(seconds)


def _find_replies(
    settings: Settings, ids: tuple[str, str], message: Message, options: RequestOptions
) -> Flow[list[Message]]:
    """Replies are newer than the message, so the list is read no further than that."""
    found: list[Message] = []
    query = {"parentMessageId": message.parent_message_id}
    page: ListSpec[Message] | None
    page = ListSpec(MessageList, RequestSpec("GET", MESSAGES, ids, query, options=options))
    while page is not None:
        data = yield from send_for_page(settings, page)
        for other in data.items:
            if other.id == message.id:
                return found
            if other.in_reply_to_message_id == message.id:
                found.insert(0, other)
        page = data.next
    return found
