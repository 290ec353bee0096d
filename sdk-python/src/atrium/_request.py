"""Turns a call into a request that can be sent more than once."""

from __future__ import annotations

import json
import math
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timezone
from typing import Literal, TypeAlias
from urllib.parse import quote, urlencode

from ._models import NotGiven
from ._options import RequestOptions, Settings, read_headers, read_max_retries, read_timeout
from .errors import UsageError

Method: TypeAlias = Literal["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE"]
Fields: TypeAlias = Mapping[str, object]


@dataclass(frozen=True)
class RequestSpec:
    method: Method
    path: str
    """The path template, such as `/projects/{projectId}`."""
    ids: Sequence[str] = ()
    """The values for the template, in order."""
    query: Fields = field(default_factory=dict)
    body: Fields | None = None
    options: RequestOptions = field(default_factory=RequestOptions)
    is_search: bool = False
    """A POST that only reads: it is retried like a GET and carries no Idempotency-Key."""
    known_tag: str | None = None
    """The ETag of what the caller has. The server then sends only something else."""
    is_file: bool = False
    """The response is a file, which the caller reads."""
    byte_range: tuple[int, int | None] | None = None
    """The bytes of a file that are wanted."""
    is_upload: bool = False
    """It belongs to an upload, and is answered by headers."""
    upload_content: bytes | None = None

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"


@dataclass(frozen=True)
class PreparedRequest:
    """A request that is ready to send. Every attempt sends exactly this."""

    method: Method
    url: str
    headers: Mapping[str, str]
    content: bytes | None
    timeout: float
    max_retries: int
    is_repeatable: bool
    """Safe to send twice: a GET, a search, or a POST with an Idempotency-Key."""
    is_file: bool


def prepare(spec: RequestSpec, settings: Settings) -> PreparedRequest:
    options = spec.options
    headers = {**settings.headers, **read_headers(options.get("headers"))}
    content = None if spec.body is None else _to_json(_given(spec, spec.body), spec)
    if content is not None:
        headers["content-type"] = "application/json"
    if spec.is_upload:
        headers["tus-resumable"] = "1.0.0"
    if spec.upload_content is not None:
        content = spec.upload_content
        headers["content-type"] = "application/offset+octet-stream"
    if spec.byte_range is not None:
        first, last = spec.byte_range
        headers["range"] = f"bytes={first}-{'' if last is None else last}"
    if spec.known_tag is not None:
        headers["if-none-match"] = spec.known_tag
    key = _idempotency_key(spec)
    if key is not None:
        headers["idempotency-key"] = key
    timeout, max_retries = options.get("timeout"), options.get("max_retries")
    return PreparedRequest(
        method=spec.method,
        url=settings.base_url + _fill_path(spec) + _query_of(spec),
        headers=headers,
        content=content,
        timeout=settings.timeout if timeout is None else read_timeout(timeout),
        max_retries=settings.max_retries if max_retries is None else read_max_retries(max_retries),
        is_repeatable=spec.method == "GET" or spec.is_search or key is not None,
        is_file=spec.is_file,
    )


def _given(spec: RequestSpec, fields: Fields) -> dict[str, object]:
    """Drops fields that were not passed. Only in an update does None have a meaning: clear."""
    if spec.method == "PATCH":
        return {name: value for name, value in fields.items() if not isinstance(value, NotGiven)}
    return {name: value for name, value in fields.items() if value is not None}


def _fill_path(spec: RequestSpec) -> str:
    """Rejects `""` and `..`, which would turn the path into that of another operation."""
    path = spec.path
    for name, value in zip(re.findall(r"\{(\w+)\}", path), spec.ids, strict=True):
        if not isinstance(value, str) or value in ("", ".", ".."):
            raise UsageError(f"{spec.name}: {name} must be a non-empty string, not {value!r}.")
        path = path.replace("{" + name + "}", _quoted(value, f"{spec.name}: {name}"), 1)
    return path


def _quoted(value: str, where: str) -> str:
    try:
        return quote(value, safe="")
    except UnicodeEncodeError:
        raise UsageError(f"{where} contains an unpaired surrogate.") from None


def _query_of(spec: RequestSpec) -> str:
    query = [
        (name, _query_text(name, value))
        for name, given in _given(spec, spec.query).items()
        for value in (given if isinstance(given, (list, tuple)) else [given])
    ]
    try:
        return f"?{urlencode(query)}" if query else ""
    except UnicodeEncodeError:
        raise UsageError(f"{spec.name}: the query contains an unpaired surrogate.") from None


def _query_text(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (datetime, date)):
        return _time_text(value, name)
    return str(value)


def _time_text(value: datetime | date, where: str) -> str:
    if not isinstance(value, datetime):
        return value.isoformat()
    if value.tzinfo is None:
        raise UsageError(
            f"{where} has no time zone. Use an aware datetime, such as with timezone.utc."
        )
    text = value.astimezone(timezone.utc).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


def _to_json(body: Fields, spec: RequestSpec) -> bytes:
    try:
        text = json.dumps(
            body, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_encode
        )
        return text.encode()
    except UsageError:
        raise
    except (TypeError, ValueError, RecursionError) as cause:
        raise _unsendable(body, spec.name, cause) from cause


def _encode(value: object) -> object:
    if isinstance(value, (datetime, date)):
        return _time_text(value, "The body")
    raise TypeError(type(value).__name__)


def _unsendable(body: Fields, name: str, cause: Exception) -> UsageError:
    try:
        why = _flaw_in(body, "body") or str(cause)
    except RecursionError:
        why = "it contains itself or is nested too deeply"
    return UsageError(f"{name}: the body can't be sent as JSON: {why}.")


def _flaw_in(value: object, where: str) -> str | None:
    """Names the first value that JSON can't represent, if there is one."""
    if isinstance(value, Mapping):
        flaws = (_flaw_in(inner, f"{where}.{key}") for key, inner in value.items())
        return next(filter(None, flaws), None)
    if isinstance(value, (list, tuple)):
        flaws = (_flaw_in(inner, f"{where}[{index}]") for index, inner in enumerate(value))
        return next(filter(None, flaws), None)
    if isinstance(value, str):
        is_broken = any("\ud800" <= character <= "\udfff" for character in value)
        return f"{where} contains an unpaired surrogate" if is_broken else None
    if isinstance(value, float):
        return None if math.isfinite(value) else f"{where} is {value}"
    if value is None or isinstance(value, (int, datetime, date)):
        return None
    return f"{where} has the type {type(value).__name__}"


def _idempotency_key(spec: RequestSpec) -> str | None:
    if spec.method != "POST":
        return None
    given = spec.options.get("idempotency_key")
    if given is None:
        return None if spec.is_search else str(uuid.uuid4())
    if re.fullmatch(r"[\x21-\x7e]{1,255}", given):
        return given
    raise UsageError("idempotency_key must be 1 to 255 visible ASCII characters, without spaces.")
