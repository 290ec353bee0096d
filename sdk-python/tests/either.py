"""Gives the sync client an async interface, so that one test covers both clients."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Generator
from typing import Any, cast

from atrium import AsyncAtrium, AsyncAtriumMemory, Atrium, AtriumMemory, Page

_END = object()


class _Deferred:
    """A sync call that runs in a thread when awaited."""

    def __init__(self, call: Callable[[], Any]) -> None:
        self._call = call

    def __await__(self) -> Generator[Any, None, Any]:
        return self._run().__await__()

    async def _run(self) -> Any:
        result = await asyncio.to_thread(self._call)
        return _Page(result) if isinstance(result, Page) else result

    async def __aiter__(self) -> AsyncIterator[Any]:
        async for item in await self:
            yield item


class _Page:
    def __init__(self, page: Page[Any]) -> None:
        self._page = page

    def __getattr__(self, name: str) -> Any:
        return getattr(self._page, name)

    def next_page(self) -> _Deferred:
        return _Deferred(self._page.next_page)

    async def refresh(self) -> _Page:
        page = await asyncio.to_thread(self._page.refresh)
        return self if page is self._page else _Page(page)

    async def __aiter__(self) -> AsyncIterator[Any]:
        items = iter(self._page)
        while (item := await asyncio.to_thread(next, items, _END)) is not _END:
            yield item


class _Namespace:
    def __init__(self, namespace: Any) -> None:
        self._namespace = namespace

    def __getattr__(self, name: str) -> Callable[..., _Deferred]:
        method = getattr(self._namespace, name)
        return lambda *args, **kwargs: _Deferred(lambda: method(*args, **kwargs))


class _Client:
    def __init__(self, client: Any) -> None:
        self._client = client

    def __getattr__(self, name: str) -> _Namespace:
        return _Namespace(getattr(self._client, name))

    async def close(self) -> None:
        self._client.close()

    async def __aenter__(self) -> Any:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class Kind:
    """The kind of client a test runs with."""

    def __init__(self, is_async: bool) -> None:
        self.is_async = is_async

    def atrium(self, **options: Any) -> AsyncAtrium:
        if self.is_async:
            return AsyncAtrium(**options)
        return cast(AsyncAtrium, _Client(Atrium(**options)))

    def memory(self, **options: Any) -> AsyncAtriumMemory:
        if self.is_async:
            return AsyncAtriumMemory(**options)
        return cast(AsyncAtriumMemory, _Client(AtriumMemory(**options)))
