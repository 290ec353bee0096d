"""The options of a client and of a call, checked before anything is sent."""

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
    """What `messages.post_and_wait` takes of them: there, `timeout` is for the whole wait."""

    max_retries: int | None
    """How often it is sent again, where that is safe."""
    idempotency_key: str | None
    """For POST: your own key instead of a random one, so that a later run repeats this request."""
    headers: Mapping[str, str] | None
    """Sent along, over the client's own."""


class RequestOptions(WaitOptions, total=False):
    """What every method takes besides its own arguments. None stands for the client's own."""

    timeout: float | None
    """Seconds that one attempt may take."""


@dataclass(frozen=True)
class LogEntry:
    """What the logger is told of each attempt. It never has a key, a body or an id in a path."""

    method: str
    path: str
    """The path's template: `/projects/{projectId}`."""
    attempt: int
    """1 for the first attempt."""
    duration: float
    """Seconds."""
    status: int | None = None
    request_id: str | None = None
    error: str | None = None
    """The error's code, where the attempt failed."""
    retry_in: float | None = None
    """Seconds until the next attempt, if one follows."""


LogHook: TypeAlias = Callable[[LogEntry], None]


@dataclass(frozen=True)
class Surface:
    """One of the two APIs, and how to tell its keys."""

    client: str
    prefix: str
    other_client: str
    other_prefix: str
    is_v1: bool


V2 = Surface("Atrium", "atr_", "AtriumMemory", "sk_live_", is_v1=False)
V1 = Surface("AtriumMemory", "sk_live_", "Atrium", "atr_", is_v1=True)


@dataclass(frozen=True)
class Settings:
    """The options, checked and with their defaults."""

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
    raise UsageError(f"timeout is in seconds, and above 0: not {timeout!r}.")


def read_max_retries(max_retries: int) -> int:
    if isinstance(max_retries, int) and max_retries >= 0:
        return max_retries
    raise UsageError(f"max_retries is a whole number from 0 on, not {max_retries!r}.")


def read_headers(headers: Mapping[str, str] | None) -> dict[str, str]:
    """A bad one is named without its value: it may be a secret."""
    checked: dict[str, str] = {}
    for name, value in (headers or {}).items():
        if not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name) or not (
            isinstance(value, str) and re.fullmatch(r"[\t\x20-\x7e]*", value)
        ):
            raise UsageError(f"The header {name!r} has a name or value that cannot be sent.")
        checked[name.lower()] = value.strip()
    return checked


def _read_key(given: str | None, surface: Surface) -> str:
    key = (os.environ.get("ATRIUM_API_KEY", "") if given is None else given).strip()
    if not key:
        raise UsageError(
            f'An API key is missing. Give one, {surface.client}(api_key="{surface.prefix}…"), '
            "or set ATRIUM_API_KEY. The first start of a server prints one; later ones are "
            "minted with POST /keys."
        )
    if key.startswith(surface.other_prefix):
        raise UsageError(
            f"A key that begins with {surface.other_prefix} is for {surface.other_client}(…); "
            f"{surface.client} takes keys that begin with {surface.prefix}."
        )
    if not key.startswith(surface.prefix) or not re.fullmatch(r"[\x21-\x7e]+", key):
        raise UsageError(
            f"This is not an API key of Atrium: it should be {surface.prefix} and 46 letters "
            'and digits, without "Bearer" or quotes.'
        )
    return key


def _read_base_url(given: str | None, surface: Surface) -> str:
    text = os.environ.get("ATRIUM_BASE_URL", "") if given is None else given
    url = (text.strip() or DEFAULT_URL).rstrip("/")
    hint = f"It should be the server's origin and /api, such as {DEFAULT_URL}."
    if not re.match(r"https?://", url, re.IGNORECASE):
        raise UsageError(f'The base URL "{url}" does not begin with http:// or https://. {hint}')
    try:
        parts = urlsplit(url)
        is_plain = bool(parts.hostname) and not parts.query and not parts.fragment
        is_plain = is_plain and parts.port != 0 and not re.search(r"\s", url)
    except ValueError:
        is_plain = False
    if not is_plain:
        raise UsageError(f'The base URL "{url}" is not a plain URL. {hint}')
    if "@" in parts.netloc:
        raise UsageError(f"The base URL must not contain a user name or a password. {hint}")
    is_v1 = parts.path.endswith("/v1")
    if is_v1 and not surface.is_v1:
        raise UsageError(f"The base URL ends in /v1, which is for AtriumMemory(…). {hint}")
    return f"{url}/v1" if surface.is_v1 and not is_v1 else url


def _hook_of(logger: logging.Logger) -> LogHook:
    """Attempts that worked are DEBUG, those that failed WARNING."""

    def log(entry: LogEntry) -> None:
        level = logging.DEBUG if entry.error is None else logging.WARNING
        outcome = str(entry.status or "no answer") + (f" {entry.error}" if entry.error else "")
        retry = "" if entry.retry_in is None else f", again in {entry.retry_in:.1f} s"
        logger.log(
            level,
            "%s %s: %s in %.0f ms (attempt %d, request %s)%s",
            *(entry.method, entry.path, outcome, entry.duration * 1000),
            *(entry.attempt, entry.request_id or "unknown", retry),
            extra={"atrium": entry},
        )

    return log
