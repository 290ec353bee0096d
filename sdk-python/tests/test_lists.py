"""Pages, and iteration over numbered and cursor lists."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from atrium import AsyncAtrium, NotAtriumError, UsageError
from atrium._flow import next_query

from .fake import FakeServer, Say, success
from .server import Server
from .test_namespaces import make_session, unique
from .test_retries import PROJECT

MESSAGES = 1000
AT_ONCE = 10


def numbered(ids: str, page: int, total: int) -> dict[str, Any]:
    items = [{**PROJECT, "id": id} for id in ids]
    return {"items": items, "total": total, "page": page, "limit": 2}


async def test_a_numbered_list(faked: AsyncAtrium, fake: FakeServer) -> None:
    fake.says(
        success(numbered("ab", 1, 5)), success(numbered("cd", 2, 5)), success(numbered("e", 3, 5))
    )
    page = await faked.projects.list(limit=2, headers={"X-Mine": "1"})
    assert ([each.id for each in page.items], page.total) == (["a", "b"], 5)
    assert page.request_id == "request-1"
    second = await page.next_page()
    third = await second.next_page()
    assert (second.has_next_page, third.has_next_page) == (True, False)
    with pytest.raises(UsageError, match="last page"):
        await third.next_page()
    assert [heard.path for heard in fake.heard] == [
        "/api/projects?limit=2",
        "/api/projects?page=2&limit=2",
        "/api/projects?page=3&limit=2",
    ]
    assert all(heard.headers["x-mine"] == "1" for heard in fake.heard)


async def test_iterating_over_a_numbered_list_shows_nothing_twice(
    faked: AsyncAtrium, fake: FakeServer
) -> None:
    """A new Project pushed `b` onto the second page."""
    fake.says(
        success(numbered("ab", 1, 4)), success(numbered("bc", 2, 5)), success(numbered("d", 3, 5))
    )
    assert [each.id async for each in faked.projects.list()] == ["a", "b", "c", "d"]
    fake.says(success(numbered("", 1, 9)))
    assert [each.id async for each in faked.projects.list()] == []
    assert len(fake.heard) == 1


def test_the_query_of_the_next_page() -> None:
    more = {"items": [1], "hasMore": True, "nextBefore": "m"}
    assert next_query(more, {"around": "x", "limit": 3}) == {"limit": 3, "before": "m"}
    assert next_query(more, {"before": "z", "tag": "t"}) == {"before": "m", "tag": "t"}
    assert next_query({"items": [], "hasMore": False, "nextBefore": None}, {}) is None
    assert next_query({"items": [1], "total": 1}, {}) is None


async def test_numbered_lists_on_the_real_server(client: AsyncAtrium) -> None:
    names = {unique("Many") for _ in range(5)}
    await asyncio.gather(*[client.projects.create(name=name) for name in names])
    listed = [project async for project in client.projects.list(limit=2)]
    assert names <= {project.name for project in listed}
    assert len({project.id for project in listed}) == len(listed)
    page = await client.projects.list(limit=2)
    assert (len(page.items), page.total) == (2, len(listed))
    assert [each.id async for each in await page.next_page()] == [each.id for each in listed[2:]]


@pytest.fixture(scope="module")
def thousand(server: Server) -> tuple[str, str, list[str]]:
    """A session with 1,000 messages: the Project's slug, the session's id, the messages' ids."""

    async def post() -> tuple[str, str, list[str]]:
        async with AsyncAtrium(api_key=server.key, base_url=server.base_url) as client:
            project, session = await make_session(client)
            slots = asyncio.Semaphore(AT_ONCE)

            async def say(number: int) -> str:
                async with slots:
                    body = f"Number {number}"
                    return (await client.messages.post(project.slug, session.id, body=body)).id

            return project.slug, session.id, await asyncio.gather(*map(say, range(MESSAGES)))

    return asyncio.run(post())


async def test_iterating_while_new_messages_arrive(
    client: AsyncAtrium, thousand: tuple[str, str, list[str]]
) -> None:
    slug, session_id, posted = thousand
    before = await client.messages.list(slug, session_id, limit=1)

    async def newcomers() -> AsyncGenerator[str, None]:
        while True:
            yield (await client.messages.post(slug, session_id, body="A new one")).id

    arriving, new = newcomers(), list[str]()
    seen = []
    async for message in client.messages.list(slug, session_id, limit=50):
        seen.append(message.id)
        if len(seen) % 25 == 0:
            new.append(await arriving.__anext__())
    await arriving.aclose()
    assert len(set(seen)) == len(seen)
    assert set(posted) <= set(seen)
    assert not set(new) & set(seen)
    assert before.total == len(seen)
    assert len(new) >= MESSAGES // 25


async def test_a_window_around_a_message_continues_by_cursor(
    client: AsyncAtrium, thousand: tuple[str, str, list[str]]
) -> None:
    slug, session_id, _ = thousand
    everything = [each.id async for each in client.messages.list(slug, session_id, limit=100)]
    middle = everything[-30]
    window = [
        each.id async for each in client.messages.list(slug, session_id, around=middle, limit=20)
    ]
    assert middle in window
    assert window == everything[-len(window) :]


async def test_refreshing_returns_the_same_page_until_something_changes(
    client: AsyncAtrium,
) -> None:
    project, session = await make_session(client)
    await client.messages.post(project.slug, session.id, body="one")
    page = await client.messages.list(project.slug, session.id, limit=1)
    assert await page.refresh() is page
    await client.messages.post(project.slug, session.id, body="two")
    newer = await page.refresh()
    assert [message.body for message in newer.items] == ["two"]
    assert [message.body for message in (await newer.next_page()).items] == ["one"]
    sessions = await client.sessions.list(project.slug)
    assert await sessions.refresh() is sessions


async def test_refreshing_sends_the_etag_and_only_then_takes_a_304(
    faked: AsyncAtrium, fake: FakeServer
) -> None:
    unchanged = Say(status=304)
    fake.says(success(numbered("ab", 1, 2), headers={"ETag": '"a"'}), unchanged)
    page = await faked.projects.list()
    assert await page.refresh() is page
    assert [heard.headers.get("if-none-match") for heard in fake.heard] == [None, '"a"']
    with pytest.raises(NotAtriumError):
        await faked.projects.list()
