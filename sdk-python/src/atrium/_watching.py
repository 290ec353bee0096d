"""Replies while they are written, for `messages.post_and_wait`."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections import deque
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING

from ._options import RequestOptions, WaitOptions
from ._request import RequestSpec
from ._streaming import AsyncEventStream, EventStream, SessionEvent
from ._waiting import Posting, ReplyDelta
from .types import Message

if TYPE_CHECKING:
    from ._transport import AsyncClient, SyncClient

EVENTS = "/spaces/{slug}/sessions/{sessionId}/events"


class _Watcher:
    """What both watchers do in the same way. Without `on_delta`, they only sleep."""

    def __init__(self, posting: Posting, options: WaitOptions) -> None:
        self._posting = posting
        self._options = RequestOptions(
            max_retries=options.get("max_retries"), headers=options.get("headers")
        )
        self._question_id: str | None = None
        self._texts: dict[str, str] = {}

    def _watch(self, message: Message) -> RequestSpec:
        self._question_id = message.id
        ids = (self._posting.slug, message.session_id)
        return RequestSpec("GET", EVENTS, ids, options=self._options)

    def _tell(self, event: SessionEvent) -> None:
        mention, delta, on_delta = event.mention, event.text, self._posting.on_delta
        if on_delta is None or mention is None or delta is None:
            return
        if event.question_id != self._question_id:
            return
        before = self._texts.get(mention, "") if event.type == "reply.delta" else ""
        self._texts[mention] = before + delta
        on_delta(ReplyDelta(mention, delta, before + delta))


class Watcher(_Watcher):
    """
    Reads the session's events in a thread. `on_delta` is called in the caller's own thread, while
    it sleeps between two polls.
    """

    def __init__(self, client: SyncClient, posting: Posting, options: WaitOptions) -> None:
        super().__init__(posting, options)
        self._client = client
        self._stream: EventStream | None = None
        self._events: queue.SimpleQueue[SessionEvent] = queue.SimpleQueue()

    def start(self, message: Message) -> None:
        if self._posting.on_delta is None:
            return
        self._stream = EventStream(self._client, self._watch(message))
        threading.Thread(target=self._read, args=(self._stream,), daemon=True).start()

    def _read(self, stream: EventStream) -> None:
        # A view only: if it fails, polling still finds the replies.
        with suppress(Exception):
            for event in stream:
                self._events.put(event)

    def sleep(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            with suppress(queue.Empty):
                self._tell(self._events.get(timeout=left))

    def __enter__(self) -> Watcher:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._stream is not None:
            self._stream._end()
        while kind is None and not self._events.empty():
            self._tell(self._events.get())


class AsyncWatcher(_Watcher):
    """Reads the session's events in a task. `on_delta` is called between two polls."""

    def __init__(self, client: AsyncClient, posting: Posting, options: WaitOptions) -> None:
        super().__init__(posting, options)
        self._client = client
        self._task: asyncio.Task[None] | None = None
        self._events: deque[SessionEvent] = deque()
        self._arrived = asyncio.Event()

    def start(self, message: Message) -> None:
        if self._posting.on_delta is None:
            return
        stream = AsyncEventStream(self._client, self._watch(message))
        self._task = asyncio.create_task(self._read(stream))

    async def _read(self, stream: AsyncEventStream) -> None:
        with suppress(Exception):
            async for event in stream:
                self._events.append(event)
                self._arrived.set()

    async def sleep(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            self._arrived.clear()
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._arrived.wait(), left)
            self._catch_up()

    def _catch_up(self) -> None:
        while self._events:
            self._tell(self._events.popleft())

    async def __aenter__(self) -> AsyncWatcher:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        if kind is None:
            self._catch_up()
