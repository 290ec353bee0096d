"""Retries, against a fake server that fails."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

import atrium._flow
from atrium import (
    AsyncAtrium,
    ConflictError,
    ConnectionError,
    InternalError,
    LogEntry,
    NotAtriumError,
    RateLimitError,
    TimeoutError,
)

from .conftest import KEY
from .either import Kind
from .fake import FakeServer, Say, failure, say_json, success

ME = {
    "userId": "u",
    "email": "e",
    "name": "n",
    "role": "OWNER",
    "org": {"id": "o", "name": "Org"},
    "keyId": "k",
    "scopes": [],
}
PROJECT: dict[str, Any] = {
    "id": "p",
    "slug": "s",
    "name": "n",
    "description": None,
    "tags": [],
    "access": "ORG",
    "createdById": "u",
    "createdAt": "2026-11-15T09:30:00.000Z",
    "updatedAt": "2026-11-15T09:30:00.000Z",
    "archivedAt": None,
}
MATCHES: dict[str, Any] = {"items": [], "total": 0, "degraded": False}
BROKEN = failure(500, "INTERNAL_ERROR")


async def test_a_get_is_retried_after_5xx(faked: AsyncAtrium, fake: FakeServer) -> None:
    fake.says(BROKEN, failure(503, "INTERNAL_ERROR"), success(ME))
    me = await faked.identity.me()
    assert me.org.name == "Org"
    assert me.request_id == "request-3"
    assert len(fake.heard) == 3


async def test_a_post_keeps_its_idempotency_key(faked: AsyncAtrium, fake: FakeServer) -> None:
    fake.says(BROKEN, Say(is_cut=True), success(PROJECT, status=201))
    await faked.projects.create(name="n")
    keys = {heard.headers["idempotency-key"] for heard in fake.heard}
    assert len(fake.heard) == 3
    assert len(keys) == 1
    fake.says(success(PROJECT, status=201))
    await faked.projects.create(name="n")
    assert fake.heard[0].headers["idempotency-key"] not in keys


async def test_a_search_is_retried_without_a_key(faked: AsyncAtrium, fake: FakeServer) -> None:
    fake.says(BROKEN, success(MATCHES))
    await faked.memory.search(query="x")
    assert len(fake.heard) == 2
    assert all("idempotency-key" not in heard.headers for heard in fake.heard)


@pytest.mark.parametrize("trouble", [BROKEN, Say(is_cut=True)])
async def test_patch_put_and_delete_are_sent_once(
    faked: AsyncAtrium, fake: FakeServer, trouble: Say
) -> None:
    for call in (
        lambda: faked.projects.update("p", name="n"),
        lambda: faked.projects.add_member("p", "u"),
        lambda: faked.projects.archive("p"),
    ):
        fake.says(trouble)
        with pytest.raises((InternalError, ConnectionError)):
            await call()
        assert len(fake.heard) == 1


async def test_429_is_retried_after_retry_after(fake: FakeServer, kind: Kind) -> None:
    entries: list[LogEntry] = []
    fake.says(failure(429, "RATE_LIMIT", headers={"Retry-After": "1"}), Say(status=204))
    async with kind.atrium(api_key=KEY, base_url=fake.base_url, logger=entries.append) as client:
        started = time.monotonic()
        await client.projects.archive("p")
    assert time.monotonic() - started >= 1
    assert [entry.status for entry in entries] == [429, 204]
    assert entries[0].retry_in is not None
    assert 1 <= entries[0].retry_in <= 1.25


async def test_429_with_a_date_uses_the_servers_clock(faked: AsyncAtrium, fake: FakeServer) -> None:
    dates = {
        "Date": "Wed, 01 Jan 2020 00:00:00 GMT",
        "Retry-After": "Wed, 01 Jan 2020 00:00:01 GMT",
    }
    fake.says(failure(429, "RATE_LIMIT", headers=dates), success(ME))
    started = time.monotonic()
    await faked.identity.me()
    assert time.monotonic() - started >= 1


async def test_429_fails_at_once_if_retry_after_is_more_than_a_minute(
    faked: AsyncAtrium, fake: FakeServer
) -> None:
    fake.says(failure(429, "RATE_LIMIT", headers={"Retry-After": "61"}))
    with pytest.raises(RateLimitError) as caught:
        await faked.identity.me()
    assert caught.value.retry_after == 61
    assert len(fake.heard) == 1


async def test_409_is_retried_only_while_the_first_request_runs(
    faked: AsyncAtrium, fake: FakeServer
) -> None:
    running = failure(
        409,
        "CONFLICT",
        details={"reason": "idempotency_in_progress"},
        headers={"Retry-After": "1"},
    )
    fake.says(running, success(PROJECT, status=201))
    await faked.projects.create(name="n")
    assert len({heard.headers["idempotency-key"] for heard in fake.heard}) == 1
    assert len(fake.heard) == 2

    fake.says(failure(409, "CONFLICT", details={"reason": "slug_taken", "slug": "s"}))
    with pytest.raises(ConflictError) as caught:
        await faked.projects.create(name="n")
    assert caught.value.reason == "slug_taken"
    assert len(fake.heard) == 1


@pytest.mark.parametrize(
    "cut",
    [
        Say(b'{"success":true,"da', headers={"Content-Type": "application/json"}, announced=500),
        Say(
            b'{"success":true,"da', headers={"Content-Type": "application/json"}, is_lengthless=True
        ),
        Say(is_cut=True),
    ],
    ids=["announced", "lengthless", "reset"],
)
async def test_an_incomplete_response_is_a_connection_error(
    faked: AsyncAtrium, fake: FakeServer, cut: Say
) -> None:
    fake.says(cut, success(ME))
    assert (await faked.identity.me()).email == "e"
    fake.says(cut)
    with pytest.raises(ConnectionError) as caught:
        await faked.identity.me(max_retries=1)
    assert caught.value.code == "CONNECTION_ERROR"
    assert len(fake.heard) == 2


async def test_max_retries_of_client_and_call(fake: FakeServer, kind: Kind) -> None:
    fake.says(BROKEN)
    async with kind.atrium(api_key=KEY, base_url=fake.base_url, max_retries=0) as client:
        with pytest.raises(InternalError):
            await client.identity.me()
        assert len(fake.heard) == 1
        with pytest.raises(InternalError):
            await client.identity.me(max_retries=4)
        assert len(fake.heard) == 6


@pytest.mark.parametrize("late", [Say(delay=1.5), success(ME, drip=0.05)], ids=["slow", "drip"])
async def test_the_timeout_applies_to_each_attempt(
    faked: AsyncAtrium, fake: FakeServer, late: Say
) -> None:
    fake.says(late, success(ME))
    assert (await faked.identity.me(timeout=0.4)).email == "e"
    fake.says(late)
    with pytest.raises(TimeoutError, match=r"after 0\.4 s") as caught:
        await faked.identity.me(timeout=0.4, max_retries=0)
    assert caught.value.code == "TIMEOUT"


async def test_a_proxys_error_page_is_retried(faked: AsyncAtrium, fake: FakeServer) -> None:
    page = Say(b"<h1>Bad gateway</h1>", status=502, headers={"Content-Type": "text/html"})
    fake.says(page, success(ME))
    await faked.identity.me()
    fake.says(page)
    with pytest.raises(NotAtriumError, match="proxy"):
        await faked.identity.me()
    assert len(fake.heard) == 3


async def test_permanent_errors_are_not_retried(faked: AsyncAtrium, fake: FakeServer) -> None:
    for answer in (
        failure(404, "NOT_FOUND"),
        Say(b"<html>", headers={"Content-Type": "text/html"}),
        say_json({"hello": 1}),
    ):
        fake.says(answer)
        with pytest.raises(atrium.AtriumError):
            await faked.identity.me()
        assert len(fake.heard) == 1


async def test_a_cancelled_call_stops_at_once(fake: FakeServer) -> None:
    fake.says(failure(429, "RATE_LIMIT", headers={"Retry-After": "30"}), Say(delay=3))
    waits = asyncio.Event()

    def note(_: LogEntry) -> None:
        waits.set()

    async with AsyncAtrium(api_key=KEY, base_url=fake.base_url, logger=note) as client:
        call = asyncio.ensure_future(client.identity.me())
        await waits.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert len(fake.heard) == 1
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(client.identity.me(), 0.3)
        assert len(fake.heard) <= 2


def test_backoff_grows_to_its_cap_with_jitter() -> None:
    for attempt in range(1, 60):
        most = min(0.5 * 2 ** (attempt - 1), 8)
        delays = [atrium._flow.backoff(attempt, 0.5, 8) for _ in range(50)]
        assert all(most / 2 <= delay <= most for delay in delays)
        assert len(set(delays)) > 1
