"""The options of clients and calls, validated before anything is sent."""

from __future__ import annotations

import logging
import math
import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypedDict
from urllib.parse import urlsplit

from ._version import __version__
from .errors import UsageError

DEFAULT_URL = "http://127.0.0.1:3000/api"
DEFAULT_TIMEOUT = 30.0
DEFAULT_MAX_RETRIES = 2


class WaitOptions(TypedDict, total=False):
    """Options for `messages.post_and_wait`, whose `timeout` applies to the whole wait."""

    max_retries: int | None
    """How many times to retry a failed request, if a retry is safe."""
    idempotency_key: str | None
    """For POST: your own key instead of a random one, so a later run can repeat the request."""
    headers: Mapping[str, str] | None
    """Extra headers. They override the client's."""


class RequestOptions(WaitOptions, total=False):
    """Options for a single call. None means the client's value."""

    timeout: float | None
    """Seconds before an attempt times out."""


@dataclass(frozen=True)
class LogEntry:
    """One attempt, as passed to the logger. It never contains a key, a body or an id."""

    method: str
    path: str
    """The path template, such as `/projects/{projectId}`."""
    attempt: int
    """Starts at 1."""
    duration: float
    """Seconds."""
    status: int | None = None
    request_id: str | None = None
    error: str | None = None
    """The error's code, if the attempt failed."""
    retry_in: float | None = None
    """Seconds until the next attempt, if there is one."""


LogHook: TypeAlias = Callable[[LogEntry], None]


@dataclass(frozen=True)
class Surface:
    """One of the two APIs: the client that speaks it, and what its keys start with."""

    client: str
    prefix: str
    other_client: str
    other_prefix: str
    is_v1: bool


V2 = Surface("Atrium", "atr_", "AtriumMemory", "sk_live_", is_v1=False)
V1 = Surface("AtriumMemory", "sk_live_", "Atrium", "atr_", is_v1=True)


@dataclass(frozen=True)
class Settings:
    """The options, validated and with defaults applied."""

    base_url: str
    timeout: float
    max_retries: int
    headers: Mapping[str, str]
    """Names in lower case."""
    log: LogHook | None


def read_settings(
    surface: Surface,
    *,
    api_key: str | None,
    base_url: str | None,
    timeout: float | None,
    max_retries: int | None,
    headers: Mapping[str, str] | None,
    logger: logging.Logger | LogHook | None,
) -> Settings:
    python = f"Python/{sys.version_info.major}.{sys.version_info.minor}"
    own = {
        "accept": "application/json",
        "user-agent": f"atrium-sdk-python/{__version__} {python}",
    }
    own |= read_headers(headers)
    own["authorization"] = f"Bearer {_read_key(api_key, surface)}"
    return Settings(
        base_url=_read_base_url(base_url, surface),
        timeout=read_timeout(DEFAULT_TIMEOUT if timeout is None else timeout),
        max_retries=read_max_retries(DEFAULT_MAX_RETRIES if max_retries is None else max_retries),
        headers=own,
        log=_hook_of(logger) if isinstance(logger, logging.Logger) else logger,
    )


def read_timeout(timeout: float) -> float:
    if isinstance(timeout, (int, float)) and timeout > 0 and math.isfinite(timeout):
        return timeout
    raise UsageError(f"timeout must be a positive number of seconds, not {timeout!r}.")


def read_max_retries(max_retries: int) -> int:
    if isinstance(max_retries, int) and max_retries >= 0:
        return max_retries
    raise UsageError(f"max_retries must be a whole number, 0 or more, not {max_retries!r}.")


def read_headers(headers: Mapping[str, str] | None) -> dict[str, str]:
    """The error leaves out the value, which may be a secret."""
    checked: dict[str, str] = {}
    for name, value in (headers or {}).items():
        if not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name) or not (
            isinstance(value, str) and re.fullmatch(r"[\t\x20-\x7e]*", value)
        ):
            raise UsageError(f"The header {name!r} has an invalid name or value.")
        checked[name.lower()] = value.strip()
    return checked


def _read_key(given: str | None, surface: Surface) -> str:
    key = (os.environ.get("ATRIUM_API_KEY", "") if given is None else given).strip()
    if not key:
        raise UsageError(
            f'API key missing. Pass {surface.client}(api_key="{surface.prefix}…") or set '
            "ATRIUM_API_KEY. The server prints a key when it first starts; POST /keys creates more."
        )
    if key.startswith(surface.other_prefix):
        raise UsageError(
            f"This {surface.other_prefix} key is for {surface.other_client}(…). "
            f"{surface.client} needs a key that starts with {surface.prefix}."
        )
    if not key.startswith(surface.prefix) or not re.fullmatch(r"[\x21-\x7e]+", key):
        raise UsageError(
            f"Invalid API key. It should be {surface.prefix} followed by 46 letters and digits, "
            'without "Bearer" or quotes.'
        )
    return key


def _read_base_url(given: str | None, surface: Surface) -> str:
    text = os.environ.get("ATRIUM_BASE_URL", "") if given is None else given
    url = (text.strip() or DEFAULT_URL).rstrip("/")
    hint = f"Use the server's origin and /api, such as {DEFAULT_URL}."
    if not re.match(r"https?://", url, re.IGNORECASE):
        raise UsageError(f'The base URL "{url}" must start with http:// or https://. {hint}')
    try:
        parts = urlsplit(url)
        is_plain = bool(parts.hostname) and not parts.query and not parts.fragment
        is_plain = is_plain and parts.port != 0 and not re.search(r"\s", url)
    except ValueError:
        is_plain = False
    if not is_plain:
        raise UsageError(f'The base URL "{url}" is invalid. {hint}')
    if "@" in parts.netloc:
        raise UsageError(f"The base URL must not contain a user name or password. {hint}")
    is_v1 = parts.path.endswith("/v1")
    if is_v1 and not surface.is_v1:
        raise UsageError(f"The base URL ends in /v1, which is for AtriumMemory(…). {hint}")
    return f"{url}/v1" if surface.is_v1 and not is_v1 else url


def _hook_of(logger: logging.Logger) -> LogHook:
    """Logs successful attempts at DEBUG and failed ones at WARNING."""

    def log(entry: LogEntry) -> None:
        level = logging.DEBUG if entry.error is None else logging.WARNING
        outcome = str(entry.status or "no response") + (f" {entry.error}" if entry.error else "")
        retry = "" if entry.retry_in is None else f", retrying in {entry.retry_in:.1f} s"
        logger.log(
            level,
            "%s %s: %s in %.0f ms (attempt %d, request %s)%s",
            *(entry.method, entry.path, outcome, entry.duration * 1000),
            *(entry.attempt, entry.request_id or "unknown", retry),
            extra={"atrium": entry},
        )

    return log
