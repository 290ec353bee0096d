"""
The logic of a call, without I/O. A flow yields requests to send and delays to wait for, and the
sync or async client performs them, so retries, errors and paging are written only once.
"""

from __future__ import annotations

import dataclasses
import random
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

import httpx
import pydantic

from ._models import ItemsResult, Result, note_request_id
from ._options import LogEntry, Settings
from ._request import Fields, PreparedRequest, RequestSpec, prepare
from ._response import ApiResponse, read_offset, read_response, unknown_shape
from .errors import AtriumError, ConnectionError, TimeoutError, UsageError

T = TypeVar("T")
R = TypeVar("R", bound=Result)

FIRST_DELAY = 0.5
MAX_DELAY = 8.0
MAX_RETRY_AFTER = 60.0
"""The API never asks for more than 60 seconds. If a proxy does, the call fails instead."""


@dataclass(frozen=True)
class Sleep:
    seconds: float


Flow: TypeAlias = Generator["PreparedRequest | Sleep", Any, T]


@dataclass(frozen=True)
class ListSpec(Generic[T]):
    """A request for one page of a list."""

    model: type[ItemsResult[T]]
    spec: RequestSpec


@dataclass(frozen=True)
class PageData(Generic[T]):
    items: list[T]
    total: int | None
    unread_total: int | None
    request_id: str | None
    is_numbered: bool
    next: ListSpec[T] | None
    again: ListSpec[T]
    """The request for this page, unless it is unchanged."""


def send(settings: Settings, spec: RequestSpec) -> Flow[ApiResponse]:
    """Sends the request until it succeeds, or fails in a way that a retry can't fix."""
    request = prepare(spec, settings)
    attempt = 1
    while True:
        started = time.perf_counter()
        try:
            response = yield request
            if spec.is_upload:
                reply = read_offset(response, spec.name)
            else:
                is_conditional = spec.known_tag is not None
                reply = read_response(response, spec.name, is_conditional=is_conditional)
        except (AtriumError, httpx.HTTPError, httpx.InvalidURL) as cause:
            error = error_of(cause, spec.name, request, settings)
            delay = None if attempt > request.max_retries else delay_after(error, attempt, request)
            _log(settings, spec, attempt, started, error, delay)
            if delay is None:
                raise error from (None if error is cause else cause)
        else:
            _log(settings, spec, attempt, started, reply)
            return reply
        yield Sleep(delay)
        attempt += 1


def send_for(settings: Settings, model: type[R], spec: RequestSpec) -> Flow[R]:
    reply = yield from send(settings, spec)
    return validated(model, reply, spec.name)


def send_for_page(settings: Settings, page: ListSpec[T]) -> Flow[PageData[T]]:
    reply = yield from send(settings, page.spec)
    return _page_data(page, reply)


def send_for_change(settings: Settings, page: ListSpec[T]) -> Flow[PageData[T] | None]:
    """None if the page is what the caller has, under the ETag that the request names."""
    reply = yield from send(settings, page.spec)
    return None if reply.is_unchanged else _page_data(page, reply)


def _page_data(page: ListSpec[T], reply: ApiResponse) -> PageData[T]:
    data = validated(page.model, reply, page.spec.name)
    query = next_query(reply.data, page.spec.query)
    again = dataclasses.replace(page.spec, known_tag=reply.etag)
    return PageData(
        items=data.items,
        total=reply.data.get("total"),
        unread_total=reply.data.get("unreadTotal"),
        request_id=reply.request_id,
        is_numbered="page" in reply.data,
        next=None if query is None else _with_query(page, query),
        again=ListSpec(page.model, again),
    )


def next_query(data: Mapping[str, Any], query: Fields) -> Fields | None:
    """The query for the next page, for both cursors and page numbers."""
    if data.get("hasMore") and data.get("nextBefore"):
        # The API accepts only one of the two. After `around`, paging continues by cursor.
        rest = {name: value for name, value in query.items() if name != "around"}
        return {**rest, "before": data["nextBefore"]}
    number, limit, total = data.get("page"), data.get("limit"), data.get("total")
    if number is None or limit is None or total is None:
        return None
    return {**query, "page": number + 1} if data["items"] and number * limit < total else None


def backoff(attempt: int, first: float, most: float) -> float:
    """Doubles with each attempt up to `most`, then picks a random point in the upper half."""
    return min(first * 2.0 ** min(attempt - 1, 30), most) * random.uniform(0.5, 1)


def delay_after(error: AtriumError, attempt: int, request: PreparedRequest) -> float | None:
    """
    A rejected request (429) had no effect, so any request can be retried. After other failures,
    only a repeatable one can: the server may have processed it.
    """
    if not _is_refusal(error) and not (request.is_repeatable and _is_transient(error)):
        return None
    if not error.retry_after:
        return backoff(attempt, FIRST_DELAY, MAX_DELAY)
    if error.retry_after > MAX_RETRY_AFTER:
        return None
    # Jitter, so that clients waiting for the same limit don't all return at once.
    return error.retry_after + random.uniform(0, 0.25)


def _is_refusal(error: AtriumError) -> bool:
    is_in_progress = error.status == 409 and error.reason == "idempotency_in_progress"
    return error.status == 429 or is_in_progress


def _is_transient(error: AtriumError) -> bool:
    if isinstance(error, (ConnectionError, TimeoutError)):
        return True
    return error.status is not None and error.status >= 500


def error_of(
    cause: Exception, name: str, request: PreparedRequest, settings: Settings
) -> AtriumError:
    if isinstance(cause, AtriumError):
        return cause
    if isinstance(cause, httpx.TimeoutException):
        message = f"{name} timed out after {request.timeout:g} s."
        return TimeoutError(message, code="TIMEOUT")
    if isinstance(cause, (httpx.LocalProtocolError, httpx.UnsupportedProtocol, httpx.InvalidURL)):
        return UsageError(f"{name} could not be sent: {cause}")
    why = f" ({cause})" if str(cause) else ""
    if isinstance(cause, (httpx.ConnectError, httpx.ProxyError)):
        advice = "Check the base URL and that the server is running."
        problem = f"can't connect to {settings.base_url}{why}. {advice}"
    else:
        problem = f"incomplete response from {settings.base_url}{why}."
    return ConnectionError(f"{name} failed: {problem}", code="CONNECTION_ERROR")


def validated(model: type[R], reply: ApiResponse, name: str) -> R:
    try:
        result = model.model_validate(reply.data)
    except pydantic.ValidationError as cause:
        raise unknown_shape(name, reply.request_id, cause) from cause
    note_request_id(result, reply.request_id)
    return result


def _with_query(page: ListSpec[T], query: Fields) -> ListSpec[T]:
    return ListSpec(page.model, dataclasses.replace(page.spec, query=query, known_tag=None))


def _log(
    settings: Settings,
    spec: RequestSpec,
    attempt: int,
    started: float,
    outcome: ApiResponse | AtriumError,
    retry_in: float | None = None,
) -> None:
    if settings.log is None:
        return
    entry = LogEntry(
        method=spec.method,
        path=spec.path,
        attempt=attempt,
        duration=time.perf_counter() - started,
        status=outcome.status,
        request_id=outcome.request_id,
        error=outcome.code if isinstance(outcome, AtriumError) else None,
        retry_in=retry_in,
    )
    try:
        settings.log(entry)
    except Exception:  # A failing logger must not fail the call.
        return
