"""Pages of a list, and iteration over all of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from typing import Any, Generic, TypeAlias, TypeVar

from ._flow import ListSpec, PageData
from .errors import UsageError

T = TypeVar("T")

Loader: TypeAlias = Callable[[ListSpec[T]], "Page[T]"]
AsyncLoader: TypeAlias = Callable[[ListSpec[T]], Awaitable["AsyncPage[T]"]]
Refresher: TypeAlias = Callable[[ListSpec[T]], "Page[T] | None"]
AsyncRefresher: TypeAlias = Callable[[ListSpec[T]], Awaitable["AsyncPage[T] | None"]]


class _AnyPage(Generic[T]):
    items: list[T]
    """The items of this page only."""
    total: int | None
    """The number of items on all pages, if the list reports it."""
    unread_total: int | None
    """The number of unread items on all pages, if the list reports it."""
    request_id: str | None
    """Identifies the request in the server's log."""

    def __init__(self, data: PageData[T]) -> None:
        self.items = data.items
        self.total = data.total
        self.unread_total = data.unread_total
        self.request_id = data.request_id
        self._data = data

    @property
    def has_next_page(self) -> bool:
        return self._data.next is not None

    def __repr__(self) -> str:
        total = "" if self.total is None else f" of {self.total}"
        return f"<{type(self).__name__}: {len(self.items)}{total} items>"

    def _next_spec(self) -> ListSpec[T]:
        if self._data.next is None:
            raise UsageError(
                "This is the last page. Check has_next_page before calling next_page()."
            )
        return self._data.next

    def _unseen(self, seen: set[str]) -> Iterator[T]:
        """A new item pushes others onto the next numbered page. They must not appear twice."""
        for item in self.items:
            key = getattr(item, "id", None) if self._data.is_numbered else None
            if key is None or key not in seen:
                yield item
            if key is not None:
                seen.add(key)


class Page(_AnyPage[T]):
    """One page of a list. Iterating over it continues through all later pages."""

    def __init__(self, data: PageData[T], load: Loader[T], refresh: Refresher[T]) -> None:
        super().__init__(data)
        self._load = load
        self._refresh = refresh

    def next_page(self) -> Page[T]:
        return self._load(self._next_spec())

    def refresh(self) -> Page[T]:
        """
        Loads the page again. Returns this very page if nothing has changed, which costs little:
        use it to poll lists of messages and sessions.
        """
        return self._refresh(self._data.again) or self

    def __iter__(self) -> Iterator[T]:
        page, seen = self, set[str]()
        yield from page._unseen(seen)
        while page.has_next_page:
            page = page.next_page()
            yield from page._unseen(seen)


class AsyncPage(_AnyPage[T]):
    """One page of a list. Iterating over it continues through all later pages."""

    def __init__(self, data: PageData[T], load: AsyncLoader[T], refresh: AsyncRefresher[T]) -> None:
        super().__init__(data)
        self._load = load
        self._refresh = refresh

    async def next_page(self) -> AsyncPage[T]:
        return await self._load(self._next_spec())

    async def refresh(self) -> AsyncPage[T]:
        """
        Loads the page again. Returns this very page if nothing has changed, which costs little:
        use it to poll lists of messages and sessions.
        """
        return await self._refresh(self._data.again) or self

    async def __aiter__(self) -> AsyncIterator[T]:
        page, seen = self, set[str]()
        for item in page._unseen(seen):
            yield item
        while page.has_next_page:
            page = await page.next_page()
            for item in page._unseen(seen):
                yield item


class AsyncPager(Generic[T]):
    """Await it to get the first page, or use `async for` to get the items of all pages."""

    def __init__(self, first: ListSpec[T], load: AsyncLoader[T]) -> None:
        self._first = first
        self._load = load

    def __await__(self) -> Generator[Any, None, AsyncPage[T]]:
        return self._load(self._first).__await__()

    async def __aiter__(self) -> AsyncIterator[T]:
        async for item in await self:
            yield item
