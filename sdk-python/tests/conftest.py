from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

import atrium._flow
from atrium import AsyncAtrium

from .either import Kind
from .fake import FakeServer
from .server import Server

KEY = "atr_" + "a" * 46


_started: list[Server] = []


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Runs the tests without a server first, while the server starts."""
    items.sort(key=_needs_server)
    if any(map(_needs_server, items)) and not config.option.collectonly:
        _started.append(Server())


def _needs_server(item: pytest.Item) -> bool:
    return "server" in getattr(item, "fixturenames", ())


def pytest_unconfigure() -> None:
    for started in _started:
        started.stop()


@pytest.fixture(scope="session")
def server() -> Server:
    started = _started[0]
    started.wait()
    return started


@pytest.fixture(params=["sync", "async"])
def kind(request: pytest.FixtureRequest) -> Kind:
    return Kind(is_async=request.param == "async")


@pytest.fixture
async def client(server: Server, kind: Kind) -> AsyncIterator[AsyncAtrium]:
    """A client for the real server: async, or sync behind an async interface."""
    async with kind.atrium(api_key=server.key, base_url=server.base_url) as made:
        yield made


@pytest.fixture
def fake() -> Iterator[FakeServer]:
    started = FakeServer()
    yield started
    started.stop()


@pytest.fixture
async def faked(fake: FakeServer, kind: Kind) -> AsyncIterator[AsyncAtrium]:
    """A client for the fake server."""
    async with kind.atrium(api_key=KEY, base_url=fake.base_url) as made:
        yield made


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ATRIUM_API_KEY", raising=False)
    monkeypatch.delenv("ATRIUM_BASE_URL", raising=False)
    monkeypatch.setattr(atrium._flow, "FIRST_DELAY", 0.01)
