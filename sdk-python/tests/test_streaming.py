from __future__ import annotations

import pytest

import atrium._streaming
from atrium import (
    AsyncAtrium,
    Atrium,
    ForbiddenError,
    NotFoundError,
    SessionEvent,
    ToolProgress,
)
from atrium.errors import NotAtriumError

from .conftest import KEY
from .fake import FakeServer, Say, failure, success

HEADERS = {"content-type": "text/event-stream; charset=utf-8"}
REPLY = '"questionId": "q", "mention": "ada"'
CALLS = (
    '{"server": "wiki", "name": "find", "state": "ended", "isError": false, "latencyMs": 40},'
    '{"server": "ada", "name": "remember", "state": "started"}'
)


def stream(*blocks: str) -> Say:
    content = "".join(f"{block}\n\n" for block in blocks).encode()
    return Say(content, headers=HEADERS, is_lengthless=True)


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atrium._streaming, "FIRST_DELAY", 0)


async def read(fake: FakeServer, is_async: bool) -> list[SessionEvent]:
    """Reads until the server refuses."""
    seen: list[SessionEvent] = []
    try:
        if is_async:
            async with AsyncAtrium(KEY, base_url=fake.base_url) as client:
                async for event in client.messages.stream("space", "session"):
                    seen.append(event)
        else:
            with Atrium(KEY, base_url=fake.base_url) as sync_client:
                for event in sync_client.messages.stream("space", "session"):
                    seen.append(event)
    except ForbiddenError:
        return seen
    raise AssertionError("the stream ended without an error")


@pytest.mark.parametrize("is_async", [False, True])
async def test_it_reconnects_until_the_server_refuses(fake: FakeServer, is_async: bool) -> None:
    fake.answers = [
        stream(
            "event: resync\ndata: {}", ": ping", 'event: message.created\ndata: {"messageId": "m"}'
        ),
        failure(500, "INTERNAL_ERROR"),
        stream(
            "event: resync\ndata: {}",
            f'event: reply.started\ndata: {{{REPLY}, "seq": 1, "text": "Grüße"}}',
            f'event: reply.delta\ndata: {{{REPLY}, "seq": 1, "text": " 🎉"}}',
            f'event: reply.tools\ndata: {{{REPLY}, "toolCalls": [{CALLS}]}}',
            f"event: reply.ended\ndata: {{{REPLY}}}",
        ),
        failure(403, "FORBIDDEN"),
    ]
    events = await read(fake, is_async)
    assert [event.type for event in events] == [
        "resync",
        "message.created",
        "resync",
        "reply.started",
        "reply.delta",
        "reply.tools",
        "reply.ended",
    ]
    assert events[1].message_id == "m"
    assert (events[3].question_id, events[3].mention, events[3].seq) == ("q", "ada", 1)
    assert (events[3].text, events[4].text) == ("Grüße", " 🎉")
    assert (events[4].tool_calls, events[5].text) == (None, None)
    assert events[5].tool_calls == (
        ToolProgress("wiki", "find", "ended", is_error=False, latency_ms=40),
        ToolProgress("ada", "remember", "started"),
    )
    assert {heard.path for heard in fake.heard} == {"/api/spaces/space/sessions/session/events"}


def test_a_first_refusal_is_raised(fake: FakeServer) -> None:
    with Atrium(KEY, base_url=fake.base_url) as client:
        fake.answers = [failure(404, "NOT_FOUND")]
        with pytest.raises(NotFoundError):
            next(iter(client.messages.stream("space", "session")))
        fake.answers = [success({})]
        with pytest.raises(NotAtriumError):
            next(iter(client.messages.stream("space", "session")))
