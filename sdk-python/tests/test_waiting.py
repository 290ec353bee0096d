"""`messages.post_and_wait`."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from atrium import AsyncAtrium, ReplyDelta

from .fake import FakeServer, Say, failure, success
from .test_namespaces import make_session, unique
from .test_streaming import REPLY, stream

MESSAGE = {
    "id": "m1",
    "sessionId": "s",
    "parentMessageId": None,
    "authorKind": "USER",
    "authorUserId": "u",
    "agentSlug": None,
    "inReplyToMessageId": None,
    "body": "b",
    "mentions": ["model"],
    "status": "COMPLETED",
    "error": None,
    "citations": [],
    "toolCalls": [],
    "pendingReplies": [],
    "reactions": [],
    "replyCount": 0,
    "usage": None,
    "createdAt": "2026-11-15T09:30:00.000Z",
    "editedAt": None,
    "attachments": [],
    "deletedAt": None,
}


def listed(*messages: dict[str, Any]) -> Say:
    items = [{**MESSAGE, **message} for message in messages]
    return success({"items": items, "total": 9, "nextBefore": None, "hasMore": False})


def waiting_for(*mentions: str) -> dict[str, Any]:
    started_at = MESSAGE["createdAt"]
    return {"pendingReplies": [{"mention": each, "startedAt": started_at} for each in mentions]}


def posted(**more: Any) -> Say:
    return success({**MESSAGE, **waiting_for("model"), **more}, status=201)


def question(*mentions: str) -> Say:
    return success({**MESSAGE, **waiting_for(*mentions)})


async def test_a_real_reply(client: AsyncAtrium) -> None:
    project, session = await make_session(client)
    note = unique("The spare key is with Grace")
    await client.messages.post(project.slug, session.id, body=note)
    answer = await client.messages.post_and_wait(
        project.slug, session.id, body="@model and @nobody: who has the spare key?", timeout=60
    )
    (reply,) = answer.replies
    assert answer.is_complete
    assert (reply.author_kind, reply.agent_slug, reply.status) == ("AGENT", "recall", "COMPLETED")
    assert reply.in_reply_to_message_id == answer.message.id
    assert "Grace" in reply.body


async def test_it_returns_at_once_if_nobody_answers(client: AsyncAtrium) -> None:
    project, session = await make_session(client)
    answer = await client.messages.post_and_wait(project.slug, session.id, body="@alice hello")
    assert (answer.replies, answer.is_complete) == ([], True)


async def test_it_polls_until_no_reply_is_pending(faked: AsyncAtrium, fake: FakeServer) -> None:
    first = {"id": "m2", "inReplyToMessageId": "m1", "authorKind": "AGENT"}
    second = {**first, "id": "m4", "status": "FAILED"}
    other = {**first, "id": "m3", "inReplyToMessageId": "m0"}
    fake.says(
        posted(**waiting_for("model", "gpt")),
        question("model", "gpt"),
        question("gpt"),
        listed(other, first, {}, {**second, "id": "older"}),
        question(),
        listed(second, other, first, {}),
    )
    answer = await faked.messages.post_and_wait("p", "s", body="b", poll_interval=0.01)
    assert [each.id for each in answer.replies] == ["m2", "m4"]
    assert answer.is_complete
    paths = [heard.path for heard in fake.heard]
    message, messages = "/api/spaces/p/messages/m1", "/api/spaces/p/sessions/s/messages"
    assert paths[1:] == [message, message, messages, message, messages]


async def test_it_names_the_etag_of_the_question_and_reads_nothing_while_it_is_the_same(
    faked: AsyncAtrium, fake: FakeServer
) -> None:
    reply = {"id": "m2", "inReplyToMessageId": "m1", "authorKind": "AGENT"}
    pending = {**MESSAGE, **waiting_for("model")}
    unchanged = Say(status=304)
    fake.says(
        posted(),
        success(pending, headers={"ETag": '"a"'}),
        unchanged,
        unchanged,
        question(),
        listed(reply, {}),
    )
    answer = await faked.messages.post_and_wait("p", "s", body="b", poll_interval=0.01)
    assert ([each.id for each in answer.replies], answer.is_complete) == (["m2"], True)
    tags = [heard.headers.get("if-none-match") for heard in fake.heard]
    assert tags == [None, None, '"a"', '"a"', '"a"', None]


async def test_it_waits_for_the_given_number_of_replies(
    faked: AsyncAtrium, fake: FakeServer
) -> None:
    reply = {"id": "m2", "inReplyToMessageId": "m1", "authorKind": "AGENT"}
    fake.says(posted(**waiting_for("model", "gpt")), question("gpt"), listed(reply, {}))
    answer = await faked.messages.post_and_wait("p", "s", body="b", poll_interval=0.01, replies=1)
    assert ([each.id for each in answer.replies], answer.is_complete) == (["m2"], True)


@pytest.mark.parametrize(
    "answer",
    [
        question("model"),
        Say(delay=5),
        failure(429, "RATE_LIMIT", headers={"Retry-After": "30"}),
    ],
    ids=["still pending", "no response", "rate limited"],
)
async def test_it_returns_the_replies_so_far_after_the_timeout(
    faked: AsyncAtrium, fake: FakeServer, answer: Say
) -> None:
    fake.says(posted(), answer)
    waited = await faked.messages.post_and_wait(
        "p", "s", body="b", timeout=0.6, poll_interval=0.05, parent_message_id="m0"
    )
    assert (waited.message.id, waited.replies, waited.is_complete) == ("m1", [], False)


async def test_it_tells_on_delta_what_is_written_meanwhile(
    faked: AsyncAtrium, fake: FakeServer
) -> None:
    about = REPLY.replace('"q"', '"m1"')
    events = stream(
        "event: resync\ndata: {}",
        f'event: reply.started\ndata: {{{about}, "seq": 0, "text": ""}}',
        f'event: reply.delta\ndata: {{{about}, "seq": 0, "text": "Here"}}',
        f'event: reply.delta\ndata: {{{REPLY}, "seq": 0, "text": "Not this"}}',
        f'event: reply.tools\ndata: {{{about}, "toolCalls": []}}',
        f'event: reply.restarted\ndata: {{{about}, "seq": 0, "text": ""}}',
        f'event: reply.delta\ndata: {{{about}, "seq": 0, "text": "I am"}}',
        f'event: reply.delta\ndata: {{{about}, "seq": 1, "text": " here."}}',
    )
    fake.stream = dataclasses.replace(events, stays_open=True)
    fake.says(posted(), question("model"))
    seen: list[ReplyDelta] = []

    def on_delta(delta: ReplyDelta) -> None:
        seen.append(delta)
        if delta.text == "I am here.":
            reply = {"id": "m2", "inReplyToMessageId": "m1", "authorKind": "AGENT"}
            fake.says(question(), listed(reply, {}))

    answer = await faked.messages.post_and_wait(
        "p", "s", body="b", poll_interval=0.01, on_delta=on_delta
    )
    assert ([each.id for each in answer.replies], answer.is_complete) == (["m2"], True)
    assert [delta.text for delta in seen] == ["", "Here", "", "I am", "I am here."]
    assert seen[-1] == ReplyDelta("ada", " here.", "I am here.")


async def test_it_finds_the_replies_without_the_events(
    faked: AsyncAtrium, fake: FakeServer
) -> None:
    fake.stream = failure(403, "FORBIDDEN")
    reply = {"id": "m2", "inReplyToMessageId": "m1", "authorKind": "AGENT"}
    fake.says(posted(), question("model"), question(), listed(reply, {}))
    seen: list[ReplyDelta] = []
    answer = await faked.messages.post_and_wait(
        "p", "s", body="b", poll_interval=0.01, on_delta=seen.append
    )
    assert ([each.id for each in answer.replies], seen) == (["m2"], [])


async def test_an_error_of_on_delta_is_raised(faked: AsyncAtrium, fake: FakeServer) -> None:
    about = REPLY.replace('"q"', '"m1"')
    events = stream(f'event: reply.started\ndata: {{{about}, "seq": 0, "text": ""}}')
    fake.stream = dataclasses.replace(events, stays_open=True)
    fake.says(posted(), question("model"))

    def on_delta(_: ReplyDelta) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        await faked.messages.post_and_wait(
            "p", "s", body="b", poll_interval=0.01, on_delta=on_delta
        )
