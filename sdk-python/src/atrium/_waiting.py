"""Posting a message, then asking for the list until the replies are there."""

from __future__ import annotations

import dataclasses
import time
from dataclasses import dataclass
from typing import TypeVar

import httpx

from ._flow import Flow, ListWanted, Sleep, send_for, send_for_page
from ._models import ItemsResult
from ._options import RequestOptions, Settings, WaitOptions, read_timeout
from ._request import Prepared, Wanted
from .errors import ForbiddenError, TimeoutError
from .types import McpServer, McpServerList, Message, MessageList, ModelList, Session

T = TypeVar("T")

MESSAGES = "/spaces/{slug}/sessions/{sessionId}/messages"
DEFAULT_WAIT = 130.0
"""The server gives a model 120 seconds, then lands a FAILED reply."""
FIRST_POLL = 0.5
MAX_POLL = 5.0
MOST_REPLIES = 5
"""So many mentions answer one message."""


@dataclass(frozen=True)
class PostedWithReplies:
    """What `messages.post_and_wait` comes back with."""

    message: Message
    replies: list[Message]
    """The AGENT messages, in the order in which they came."""
    is_complete: bool
    """False where the time was up before all of them were there."""


@dataclass(frozen=True)
class Posting:
    slug: str
    session_id: str
    body: str
    parent_message_id: str | None
    timeout: float
    poll_interval: float
    replies: int | None


class _TimeIsUp(Exception):
    pass


def post_and_wait(
    settings: Settings, posting: Posting, options: WaitOptions
) -> Flow[PostedWithReplies]:
    ids = (posting.slug, posting.session_id)
    deadline_in, pause = read_timeout(posting.timeout), read_timeout(posting.poll_interval)
    body = {"body": posting.body, "parentMessageId": posting.parent_message_id}
    sending = RequestOptions(
        max_retries=options.get("max_retries"),
        headers=options.get("headers"),
        idempotency_key=options.get("idempotency_key"),
    )
    message = yield from send_for(
        settings, Message, Wanted("POST", MESSAGES, ids, {}, body, sending)
    )
    looking = RequestOptions(max_retries=options.get("max_retries"), headers=options.get("headers"))
    deadline = time.monotonic() + deadline_in
    found: list[Message] = []
    try:
        expected = posting.replies
        if expected is None:
            counting = _count_answering(settings, ids, message, looking)
            expected = yield from _until(deadline, counting)
        while len(found) < expected:
            yield from _until(deadline, _sleep(pause))
            pause = min(pause * 1.5, MAX_POLL)
            found = yield from _until(deadline, _find_replies(settings, ids, message, looking))
    except _TimeIsUp:
        return PostedWithReplies(message, found, is_complete=False)
    return PostedWithReplies(message, found, is_complete=True)


def _until(deadline: float, flow: Flow[T]) -> Flow[T]:
    """The flow, cut off when the time is up."""
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


def _shortened(step: Prepared | Sleep, left: float) -> Prepared | Sleep:
    if isinstance(step, Sleep):
        return Sleep(min(step.seconds, left))
    return dataclasses.replace(step, timeout=min(step.timeout, left))


def _sleep(seconds: float) -> Flow[None]:
    yield Sleep(seconds)


def _find_replies(
    settings: Settings, ids: tuple[str, str], message: Message, options: RequestOptions
) -> Flow[list[Message]]:
    """Replies are newer than the message, so that the list need not be read beyond it."""
    found: list[Message] = []
    query = {"parentMessageId": message.parent_message_id}
    page: ListWanted[Message] | None
    page = ListWanted(MessageList, Wanted("GET", MESSAGES, ids, query, options=options))
    while page is not None:
        data = yield from send_for_page(settings, page)
        for other in data.items:
            if other.id == message.id:
                return found
            if other.in_reply_to_message_id == message.id:
                found.insert(0, other)
        page = data.next
    return found


def _count_answering(
    settings: Settings, ids: tuple[str, str], message: Message, options: RequestOptions
) -> Flow[int]:
    """
    How many of the mentions answer: `@model`, a model by its slug, an MCP server of the Project.
    What the key may not look up counts: to wait in vain is better than to miss a reply.
    """
    silent = {mention for mention in message.mentions if mention != "model"}
    if silent:
        models = yield from _list_all(settings, ModelList, "/models", options)
        silent -= silent if models is None else {model.slug for model in models}
    if silent:
        servers = yield from _list_all(settings, McpServerList, "/mcp/servers", options)
        if servers is None:
            silent = set()
        elif servers:
            silent -= yield from _slugs_serving(settings, ids, servers, options)
    return min(len(message.mentions) - len(silent), MOST_REPLIES)


def _slugs_serving(
    settings: Settings, ids: tuple[str, str], servers: list[McpServer], options: RequestOptions
) -> Flow[set[str]]:
    path = "/spaces/{slug}/sessions/{sessionId}"
    session = yield from send_for(settings, Session, Wanted("GET", path, ids, options=options))
    return {
        server.mention_slug
        for server in servers
        if not server.project_ids or session.project_id in server.project_ids
    }


def _list_all(
    settings: Settings, model: type[ItemsResult[T]], path: str, options: RequestOptions
) -> Flow[list[T] | None]:
    """None where the key may not look."""
    try:
        wanted = ListWanted(model, Wanted("GET", path, options=options))
        data = yield from send_for_page(settings, wanted)
    except ForbiddenError:
        return None
    return data.items
