"""A session's events, as they happen. The streams reconnect when the connection is lost."""

from __future__ import annotations

import asyncio
import codecs
import json
import socket
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx

from ._flow import backoff, delay_after, error_of
from ._request import RequestSpec, prepare
from ._response import RawResponse, read_response, unknown_shape
from .errors import AtriumError

if TYPE_CHECKING:
    from ._transport import AsyncClient, SyncClient

FIRST_DELAY = 0.5
MAX_DELAY = 8.0


@dataclass(frozen=True)
class ToolProgress:
    """A tool that whoever answers has called. The message that lands has the rest."""

    server: str
    """The mention slug of an MCP server, or of the agent itself."""
    name: str
    state: str
    """`started` or `ended`."""
    is_error: bool | None = None
    latency_ms: int | None = None


@dataclass(frozen=True)
class SessionEvent:
    """
    What happened in a session. After `resync`, list the messages again: some changes may have been
    missed. `reply.started` and `reply.restarted` replace what was shown of a reply, `reply.delta`
    adds to it, `reply.tools` has all its tool calls until now, and after `reply.ended` the message
    is there.
    """

    type: str
    project_id: str | None = None
    session_id: str | None = None
    message_id: str | None = None
    """Of `message.created` and `message.updated`."""
    question_id: str | None = None
    """Of a reply's events: the message that is answered."""
    mention: str | None = None
    """Of a reply's events: who answers."""
    seq: int | None = None
    text: str | None = None
    tool_calls: tuple[ToolProgress, ...] | None = None
    """Of `reply.tools`."""


class EventStream:
    """Iterate over it to follow a session. Leave the loop, or call `close()`, to end it."""

    def __init__(self, client: SyncClient, spec: RequestSpec) -> None:
        self._client = client
        self._connection = _Connection(client, spec)
        self._response: httpx.Response | None = None
        self._is_over = False

    def __iter__(self) -> Iterator[SessionEvent]:
        connection = self._connection
        while True:
            try:
                self._response = self._client._open(connection.request)
                if not connection.accepts(self._response):
                    self._response.read()
                    connection.refuse(self._response)
                for chunk in self._response.iter_bytes():
                    yield from connection.read(chunk)
                    if self._is_over:
                        break
            except (httpx.HTTPError, AtriumError) as error:
                if not self._is_over:
                    connection.check(error)
            finally:
                self.close()
            if self._is_over:
                return
            time.sleep(connection.pause())

    def close(self) -> None:
        if self._response is not None:
            self._response.close()

    def _end(self) -> None:
        """For another thread than the one that iterates: ends the loop, even if it waits."""
        self._is_over = True
        # Other requests may share a connection of HTTP/2. There, the server's next word ends it.
        if self._response is None or self._response.http_version == "HTTP/2":
            return
        stream = self._response.extensions.get("network_stream")
        connected = stream.get_extra_info("socket") if stream else None
        if connected is not None:
            with suppress(OSError):
                connected.shutdown(socket.SHUT_RDWR)


class AsyncEventStream:
    """Iterate over it to follow a session. Leave the loop, or await `close()`, to end it."""

    def __init__(self, client: AsyncClient, spec: RequestSpec) -> None:
        self._client = client
        self._connection = _Connection(client, spec)
        self._response: httpx.Response | None = None

    async def __aiter__(self) -> AsyncIterator[SessionEvent]:
        connection = self._connection
        while True:
            try:
                self._response = await self._client._open(connection.request)
                if not connection.accepts(self._response):
                    await self._response.aread()
                    connection.refuse(self._response)
                async for chunk in self._response.aiter_bytes():
                    for event in connection.read(chunk):
                        yield event
            except (httpx.HTTPError, AtriumError) as error:
                connection.check(error)
            finally:
                await self.close()
            await asyncio.sleep(connection.pause())

    async def close(self) -> None:
        if self._response is not None:
            await self._response.aclose()


class _Connection:
    """What both streams decide in the same way."""

    def __init__(self, client: SyncClient | AsyncClient, spec: RequestSpec) -> None:
        self._settings = client._settings
        self._spec = spec
        self.request = prepare(spec, client._settings)
        self._has_connected = False
        self._failures = 0
        self._start()

    def _start(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._text = ""

    def accepts(self, response: httpx.Response) -> bool:
        kind = response.headers.get("content-type", "")
        self._start()
        return response.status_code == 200 and kind.startswith("text/event-stream")

    def refuse(self, response: httpx.Response) -> None:
        raw = RawResponse(response.status_code, response.headers, response.content)
        reply = read_response(raw, self._spec.name, is_conditional=False)
        raise unknown_shape(self._spec.name, reply.request_id, ValueError("not an event stream"))

    def read(self, chunk: bytes) -> list[SessionEvent]:
        self._has_connected, self._failures = True, 0
        *blocks, self._text = (self._text + self._decoder.decode(chunk)).split("\n\n")
        return [_event_of(block) for block in blocks if block.startswith("event: ")]

    def check(self, cause: httpx.HTTPError | AtriumError) -> None:
        """Raises what another attempt would not fix. The first one is retried as usual."""
        error = error_of(cause, self._spec.name, self.request, self._settings)
        is_last = not self._has_connected and self._failures >= self.request.max_retries
        if is_last or delay_after(error, 1, self.request) is None:
            raise error from (None if error is cause else cause)

    def pause(self) -> float:
        self._failures += 1
        return backoff(self._failures, FIRST_DELAY, MAX_DELAY)


def _event_of(block: str) -> SessionEvent:
    kind, data = block.removeprefix("event: ").split("\ndata: ", 1)
    fields: dict[str, Any] = json.loads(data)
    return SessionEvent(
        type=kind,
        project_id=fields.get("projectId"),
        session_id=fields.get("sessionId"),
        message_id=fields.get("messageId"),
        question_id=fields.get("questionId"),
        mention=fields.get("mention"),
        seq=fields.get("seq"),
        text=fields.get("text"),
        tool_calls=_calls_of(fields.get("toolCalls")),
    )


def _calls_of(calls: list[dict[str, Any]] | None) -> tuple[ToolProgress, ...] | None:
    if calls is None:
        return None
    return tuple(
        ToolProgress(
            server=call["server"],
            name=call["name"],
            state=call["state"],
            is_error=call.get("isError"),
            latency_ms=call.get("latencyMs"),
        )
        for call in calls
    )
