"""Runs the flows with httpx: one client sync, one async."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType
from typing import ClassVar, TypeVar

import httpx

from ._flow import Flow, ListSpec, Sleep, send_for_change, send_for_page
from ._options import LogHook, Settings, Surface, read_settings
from ._pages import AsyncPage, Page
from ._request import PreparedRequest
from ._response import RawResponse

T = TypeVar("T")

FILE_PAUSE = 300.0
SILENCE = 45.0
"""A stream that is silent for so many seconds is lost: the server sends something every 15."""


class _Client:
    _surface: ClassVar[Surface]
    _settings: Settings

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._settings.base_url}>"


class SyncClient(_Client):
    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
        headers: Mapping[str, str] | None = None,
        http_client: httpx.Client | None = None,
        logger: logging.Logger | LogHook | None = None,
    ) -> None:
        """
        - `api_key`: default: `ATRIUM_API_KEY`.
        - `base_url`: `<origin>/api`; default: `ATRIUM_BASE_URL`, or port 3000 on this host.
        - `timeout`: seconds before an attempt times out; default: 30.
        - `max_retries`: how many times to retry a request, if a retry is safe; default: 2.
        - `headers`: extra headers for every request.
        - `http_client`: your own httpx client; closing this client leaves it open.
        - `logger`: a `logging.Logger`, or a function that takes a `LogEntry` after each attempt.
        """
        self._settings = read_settings(
            self._surface,
            api_key=api_key,
            base_url=base_url,
            timeout=timeout,
            max_retries=max_retries,
            headers=headers,
            logger=logger,
        )
        self._http = http_client or httpx.Client()
        self._owns_http = http_client is None

    def close(self) -> None:
        """Closes the connections. A `with` block does this automatically."""
        if self._owns_http:
            self._http.close()

    def __enter__(self: T) -> T:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _run(self, flow: Flow[T], sleep: Callable[[float], None] = time.sleep) -> T:
        try:
            step = next(flow)
            while True:
                if isinstance(step, Sleep):
                    sleep(step.seconds)
                    step = flow.send(None)
                    continue
                try:
                    answer = self._send(step)
                except (httpx.HTTPError, httpx.InvalidURL) as error:
                    step = flow.throw(error)
                else:
                    step = flow.send(answer)
        except StopIteration as stop:
            result: T = stop.value
            return result

    def _send(self, prepared: PreparedRequest) -> RawResponse:
        deadline = time.monotonic() + prepared.timeout
        request = _request_of(self._http, prepared)
        response = self._http.send(request, stream=True, auth=None, follow_redirects=False)
        if _has_file(prepared, response):
            return RawResponse(response.status_code, response.headers, b"", response)
        try:
            chunks = []
            for chunk in response.iter_bytes():
                _check_time(deadline, request)
                chunks.append(chunk)
            content: bytes | None = b"".join(chunks)
        except httpx.HTTPError:
            if response.is_success:
                raise
            content = None
        finally:
            response.close()
        return RawResponse(response.status_code, response.headers, content)

    def _open(self, prepared: PreparedRequest) -> httpx.Response:
        request = _stream_request_of(self._http, prepared)
        return self._http.send(request, stream=True, auth=None, follow_redirects=False)

    def _load_page(self, spec: ListSpec[T]) -> Page[T]:
        data = self._run(send_for_page(self._settings, spec))
        return Page(data, self._load_page, self._refresh_page)

    def _refresh_page(self, spec: ListSpec[T]) -> Page[T] | None:
        data = self._run(send_for_change(self._settings, spec))
        return None if data is None else Page(data, self._load_page, self._refresh_page)


class AsyncClient(_Client):
    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
        headers: Mapping[str, str] | None = None,
        http_client: httpx.AsyncClient | None = None,
        logger: logging.Logger | LogHook | None = None,
    ) -> None:
        """
        - `api_key`: default: `ATRIUM_API_KEY`.
        - `base_url`: `<origin>/api`; default: `ATRIUM_BASE_URL`, or port 3000 on this host.
        - `timeout`: seconds before an attempt times out; default: 30.
        - `max_retries`: how many times to retry a request, if a retry is safe; default: 2.
        - `headers`: extra headers for every request.
        - `http_client`: your own httpx client; closing this client leaves it open.
        - `logger`: a `logging.Logger`, or a function that takes a `LogEntry` after each attempt.
        """
        self._settings = read_settings(
            self._surface,
            api_key=api_key,
            base_url=base_url,
            timeout=timeout,
            max_retries=max_retries,
            headers=headers,
            logger=logger,
        )
        self._http = http_client or httpx.AsyncClient()
        self._owns_http = http_client is None

    async def close(self) -> None:
        """Closes the connections. An `async with` block does this automatically."""
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self: T) -> T:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def _run(
        self, flow: Flow[T], sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> T:
        try:
            step = next(flow)
            while True:
                if isinstance(step, Sleep):
                    await sleep(step.seconds)
                    step = flow.send(None)
                    continue
                try:
                    answer = await self._send(step)
                except (httpx.HTTPError, httpx.InvalidURL) as error:
                    step = flow.throw(error)
                else:
                    step = flow.send(answer)
        except StopIteration as stop:
            result: T = stop.value
            return result

    async def _send(self, prepared: PreparedRequest) -> RawResponse:
        deadline = time.monotonic() + prepared.timeout
        request = _request_of(self._http, prepared)
        response = await self._http.send(request, stream=True, auth=None, follow_redirects=False)
        if _has_file(prepared, response):
            return RawResponse(response.status_code, response.headers, b"", response)
        try:
            chunks = []
            async for chunk in response.aiter_bytes():
                _check_time(deadline, request)
                chunks.append(chunk)
            content: bytes | None = b"".join(chunks)
        except httpx.HTTPError:
            if response.is_success:
                raise
            content = None
        finally:
            await response.aclose()
        return RawResponse(response.status_code, response.headers, content)

    async def _open(self, prepared: PreparedRequest) -> httpx.Response:
        request = _stream_request_of(self._http, prepared)
        return await self._http.send(request, stream=True, auth=None, follow_redirects=False)

    async def _load_page(self, spec: ListSpec[T]) -> AsyncPage[T]:
        data = await self._run(send_for_page(self._settings, spec))
        return AsyncPage(data, self._load_page, self._refresh_page)

    async def _refresh_page(self, spec: ListSpec[T]) -> AsyncPage[T] | None:
        data = await self._run(send_for_change(self._settings, spec))
        return None if data is None else AsyncPage(data, self._load_page, self._refresh_page)


def _request_of(http: httpx.Client | httpx.AsyncClient, prepared: PreparedRequest) -> httpx.Request:
    return http.build_request(
        prepared.method,
        prepared.url,
        headers=prepared.headers,
        content=prepared.content,
        timeout=_timeout_of(prepared),
    )


def _timeout_of(prepared: PreparedRequest) -> httpx.Timeout:
    """The server may prepare the next part of a file for a while, so its reader waits longer."""
    read = max(prepared.timeout, FILE_PAUSE) if prepared.is_file else prepared.timeout
    return httpx.Timeout(prepared.timeout, read=read)


def _has_file(prepared: PreparedRequest, response: httpx.Response) -> bool:
    is_json = "application/json" in response.headers.get("content-type", "")
    return prepared.is_file and response.is_success and not is_json


def _stream_request_of(
    http: httpx.Client | httpx.AsyncClient, prepared: PreparedRequest
) -> httpx.Request:
    timeout = httpx.Timeout(prepared.timeout, read=SILENCE)
    return http.build_request(
        prepared.method, prepared.url, headers=prepared.headers, timeout=timeout
    )


def _check_time(deadline: float, request: httpx.Request) -> None:
    """httpx limits each read, not their sum, so a slow trickle would never time out."""
    if time.monotonic() > deadline:
        raise httpx.ReadTimeout("the response took too long", request=request)
