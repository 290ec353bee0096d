"""The base classes of namespaces such as `client.projects`."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from ._download import AsyncDownload, Download
from ._flow import Flow, ListSpec, send, send_for
from ._models import ItemsResult, Result
from ._options import RequestOptions, WaitOptions
from ._pages import AsyncPager, Page
from ._request import Fields, Method, RequestSpec
from ._streaming import AsyncEventStream, EventStream
from ._waiting import PostedWithReplies, Posting, post_and_wait
from ._watching import AsyncWatcher, Watcher

if TYPE_CHECKING:
    from ._transport import AsyncClient, SyncClient

T = TypeVar("T")
R = TypeVar("R", bound=Result)


class Namespace:
    def __init__(self, client: SyncClient) -> None:
        self._client = client

    def _call(
        self,
        model: type[R],
        method: Method,
        path: str,
        *ids: str,
        query: Fields | None = None,
        body: Fields | None = None,
        options: RequestOptions,
        is_search: bool = False,
    ) -> R:
        spec = RequestSpec(method, path, ids, query or {}, body, options, is_search)
        return self._client._run(send_for(self._client._settings, model, spec))

    def _do(
        self,
        method: Method,
        path: str,
        *ids: str,
        body: Fields | None = None,
        options: RequestOptions,
    ) -> None:
        spec = RequestSpec(method, path, ids, body=body, options=options)
        self._client._run(send(self._client._settings, spec))

    def _download(
        self,
        path: str,
        *ids: str,
        query: Fields | None = None,
        byte_range: tuple[int, int | None] | None = None,
        options: RequestOptions,
    ) -> Download:
        spec = RequestSpec(
            "GET", path, ids, query or {}, options=options, is_file=True, byte_range=byte_range
        )
        return Download(self._client._run(send(self._client._settings, spec)).data)

    def _list(
        self,
        model: type[ItemsResult[T]],
        path: str,
        *ids: str,
        query: Fields | None = None,
        options: RequestOptions,
    ) -> Page[T]:
        spec = RequestSpec("GET", path, ids, query or {}, options=options)
        return self._client._load_page(ListSpec(model, spec))

    def _stream(self, path: str, *ids: str, options: RequestOptions) -> EventStream:
        return EventStream(self._client, RequestSpec("GET", path, ids, options=options))

    def _post_and_wait(self, posting: Posting, options: WaitOptions) -> PostedWithReplies:
        with Watcher(self._client, posting, options) as watcher:
            flow = post_and_wait(self._client._settings, posting, options, watcher.start)
            return self._client._run(flow, watcher.sleep)

    def _run(self, flow: Flow[T]) -> T:
        return self._client._run(flow)


class AsyncNamespace:
    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def _call(
        self,
        model: type[R],
        method: Method,
        path: str,
        *ids: str,
        query: Fields | None = None,
        body: Fields | None = None,
        options: RequestOptions,
        is_search: bool = False,
    ) -> R:
        spec = RequestSpec(method, path, ids, query or {}, body, options, is_search)
        return await self._client._run(send_for(self._client._settings, model, spec))

    async def _do(
        self,
        method: Method,
        path: str,
        *ids: str,
        body: Fields | None = None,
        options: RequestOptions,
    ) -> None:
        spec = RequestSpec(method, path, ids, body=body, options=options)
        await self._client._run(send(self._client._settings, spec))

    async def _download(
        self,
        path: str,
        *ids: str,
        query: Fields | None = None,
        byte_range: tuple[int, int | None] | None = None,
        options: RequestOptions,
    ) -> AsyncDownload:
        spec = RequestSpec(
            "GET", path, ids, query or {}, options=options, is_file=True, byte_range=byte_range
        )
        return AsyncDownload((await self._client._run(send(self._client._settings, spec))).data)

    def _list(
        self,
        model: type[ItemsResult[T]],
        path: str,
        *ids: str,
        query: Fields | None = None,
        options: RequestOptions,
    ) -> AsyncPager[T]:
        spec = RequestSpec("GET", path, ids, query or {}, options=options)
        return AsyncPager(ListSpec(model, spec), self._client._load_page)

    def _stream(self, path: str, *ids: str, options: RequestOptions) -> AsyncEventStream:
        return AsyncEventStream(self._client, RequestSpec("GET", path, ids, options=options))

    async def _post_and_wait(self, posting: Posting, options: WaitOptions) -> PostedWithReplies:
        async with AsyncWatcher(self._client, posting, options) as watcher:
            flow = post_and_wait(self._client._settings, posting, options, watcher.start)
            return await self._client._run(flow, watcher.sleep)

    async def _run(self, flow: Flow[T]) -> T:
        return await self._client._run(flow)
