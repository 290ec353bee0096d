"""Turns a response into its data, or into an error."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from .errors import AtriumError, ConnectionError, NotAtriumError, error_of_code

CODES = {
    400: "VALIDATION_ERROR",
    401: "AUTH_ERROR",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    409: "CONFLICT",
    429: "RATE_LIMIT",
    500: "INTERNAL_ERROR",
}


@dataclass(frozen=True)
class RawResponse:
    """A response, as received."""

    status: int
    headers: Mapping[str, str]
    content: bytes | None
    """None if the connection closed in the middle of an error's body."""
    file: httpx.Response | None = None
    """Still open, for the caller to read."""

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300


@dataclass(frozen=True)
class ApiResponse:
    """The contents of a successful response."""

    data: Any
    status: int
    request_id: str | None
    etag: str | None = None

    @property
    def is_unchanged(self) -> bool:
        """True if the caller already has the data, so that there is none here."""
        return self.status == 304


def read_response(response: RawResponse, name: str, *, is_conditional: bool) -> ApiResponse:
    if response.status == 304 and is_conditional:
        return ApiResponse(None, response.status, response.headers.get("x-request-id"))
    if 300 <= response.status < 400:
        raise _redirected(response, name)
    if response.file is not None:
        return ApiResponse(response.file, response.status, response.headers.get("x-request-id"))
    envelope = _parse(response.content)
    metadata = _mapping(_mapping(envelope).get("metadata"))
    request_id = response.headers.get("x-request-id") or _text(metadata.get("requestId"))
    if not response.is_success:
        raise _failure_of(response, name, _mapping(envelope), request_id)
    if response.status == 204:
        return ApiResponse(None, response.status, request_id)
    # JSON that doesn't parse was cut off: a closed connection can look like the end.
    if envelope is None and "application/json" in response.headers.get("content-type", ""):
        raise ConnectionError(
            f"{name} failed: the connection closed in the middle of the response.",
            code="CONNECTION_ERROR",
            request_id=request_id,
        )
    if not isinstance(envelope, dict) or envelope.get("success") is not True:
        raise _not_atrium(response, name)
    etag = response.headers.get("etag")
    return ApiResponse(envelope.get("data"), response.status, request_id, etag)


def read_offset(response: RawResponse, name: str) -> ApiResponse:
    """How much of an upload the server has. A response to HEAD has no body, not even an error."""
    request_id = response.headers.get("x-request-id")
    code = CODES.get(response.status)
    if code is not None and not response.content:
        raise error_of_code(
            f"{name} failed with {response.status}.",
            code,
            status=response.status,
            request_id=request_id,
            details={},
            retry_after=retry_after_of(response.headers),
        )
    if not response.is_success:
        return read_response(response, name, is_conditional=False)
    offset = response.headers.get("upload-offset", "")
    if not re.fullmatch(r"[0-9]{1,15}", offset):
        raise ConnectionError(
            "The server did not say how much of the upload it has.",
            code="CONNECTION_ERROR",
            request_id=request_id,
        )
    return ApiResponse(int(offset), response.status, request_id)


def unknown_shape(name: str, request_id: str | None, cause: Exception) -> NotAtriumError:
    why = re.sub(r"\s+", " ", str(cause))
    return NotAtriumError(
        f"{name} returned data with an unexpected shape: {why[:300]}. "
        "Check that the SDK and the server have the same version.",
        code="NOT_ATRIUM",
        status=200,
        request_id=request_id,
    )


def retry_after_of(headers: Mapping[str, str]) -> float | None:
    """Seconds, or a date. A date is compared with the response's own, since clocks differ."""
    value = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}", value):
        return float(value)
    at = _date(value)
    now = _date(headers.get("date", "")) or datetime.now(timezone.utc)
    return None if at is None else float(max(0, math.ceil((at - now).total_seconds())))


def _failure_of(
    response: RawResponse, name: str, envelope: Mapping[str, Any], request_id: str | None
) -> AtriumError:
    status, retry_after = response.status, retry_after_of(response.headers)
    known = CODES.get(status)
    error = _mapping(envelope.get("error"))
    if envelope.get("success") is False and error:
        return error_of_code(
            _text(error.get("message")) or f"{name} failed with {status}.",
            _text(error.get("code")) or known or "UNKNOWN",
            status=status,
            request_id=request_id,
            details=_mapping(error.get("details")),
            retry_after=retry_after,
        )
    if response.content is None and known is not None:
        return error_of_code(
            f"{name} failed with {status}: the connection closed in the middle of the response.",
            known,
            status=status,
            request_id=request_id,
            details={},
            retry_after=retry_after,
        )
    return _not_atrium(response, name, retry_after)


def _not_atrium(
    response: RawResponse, name: str, retry_after: float | None = None
) -> NotAtriumError:
    kind = response.headers.get("content-type", "").split(";")[0] or "no content type"
    is_proxy = response.status >= 500 or response.status == 429
    advice = (
        "It looks like a proxy responded. Check that the server is running."
        if is_proxy
        else "Check the base URL. Use the server's origin and /api, "
        "such as http://127.0.0.1:3000/api."
    )
    return NotAtriumError(
        f"{name} got {response.status} ({kind}), which is not a response from Atrium. " + advice,
        code="NOT_ATRIUM",
        status=response.status,
        retry_after=retry_after,
    )


def _redirected(response: RawResponse, name: str) -> NotAtriumError:
    """Following a redirect could turn a POST into a GET, or send the key elsewhere."""
    target = re.split(r"[?#]", response.headers.get("location", ""))[0]
    return NotAtriumError(
        f"{name} was redirected{f' to {target}' if target else ''}. Redirects are not followed: "
        "set the base URL to the server's address.",
        code="NOT_ATRIUM",
        status=response.status,
    )


def _parse(content: bytes | None) -> object:
    try:
        return None if content is None else json.loads(content)
    except (ValueError, RecursionError):
        return None


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _date(value: str) -> datetime | None:
    try:
        parsed = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=timezone.utc)
