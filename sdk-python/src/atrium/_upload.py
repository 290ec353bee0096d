"""Uploading a file in pieces, as tus 1.0, and waiting until it can be used."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from ._flow import Flow, Sleep, backoff, send, send_for
from ._options import RequestOptions, Settings, read_max_retries, read_timeout
from ._request import RequestSpec
from ._upload_source import MAX_PIECE, Pieces, UploadSource, open_source
from .errors import AtriumError, ConflictError, ConnectionError, TimeoutError, UsageError
from .types import File, FileUpload

FILES = "/projects/{projectId}/files"
FILE = "/files/{id}"
UPLOAD = "/files/{id}/upload"
FIRST_PIECE = 256 * 1024
MIN_PIECE = 64 * 1024
PIECE_SECONDS = 1.0
"""A piece takes about as long, so that progress is seen and little is sent twice."""
MAX_FAILURES = 6
"""In a row, without a byte more on the server."""
FIRST_POLL = 0.25
MAX_POLL = 3.0


@dataclass(frozen=True)
class UploadProgress:
    """How far an upload is. What `on_progress` of `files.upload` is called with."""

    file_id: str
    """What `resume` takes."""
    sent: int
    """Bytes that the server has."""
    total: int


OnUploadProgress: TypeAlias = Callable[[UploadProgress], object]


@dataclass(frozen=True)
class Uploading:
    project_id: str
    source: UploadSource
    name: str | None
    media_type: str | None
    size: int | None
    resume: str | None
    on_progress: OnUploadProgress | None


def upload(settings: Settings, what: Uploading, options: RequestOptions) -> Flow[File]:
    with open_source(what.source, what.name, what.size) as pieces:
        file_id = what.resume
        if file_id is None:
            body = {"name": pieces.name, "size": pieces.size, "mediaType": what.media_type}
            spec = RequestSpec("POST", FILES, (what.project_id,), {}, body, options)
            file_id = (yield from send_for(settings, FileUpload, spec)).id
        yield from _send_pieces(settings, file_id, pieces, what, options)
        return (yield from _get(settings, file_id, options))


def _send_pieces(
    settings: Settings, file_id: str, pieces: Pieces, what: Uploading, options: RequestOptions
) -> Flow[None]:
    given = options.get("max_retries")
    most = MAX_FAILURES if given is None else read_max_retries(given)
    at = 0 if what.resume is None else None
    arrived, failures, length = 0, 0, FIRST_PIECE
    while True:
        try:
            if at is None:
                at = yield from _find_offset(settings, file_id, pieces, options)
            if at > arrived:
                failures = 0
            arrived = at
            if what.on_progress is not None:
                what.on_progress(UploadProgress(file_id, at, pieces.size))
            if at >= pieces.size:
                return
            content = pieces.read(at, min(length, pieces.size - at))
            started = time.monotonic()
            at = yield from _send_piece(settings, file_id, at, content, options)
            length = _length_after(length, time.monotonic() - started)
        except AtriumError as error:
            failures += 1
            if not _may_go_on(error) or failures > most:
                raise
            pause = error.retry_after or backoff(failures, 0.5, 8.0)
            at, length = None, max(MIN_PIECE, length // 4)
            yield Sleep(pause)


def _find_offset(
    settings: Settings, file_id: str, pieces: Pieces, options: RequestOptions
) -> Flow[int]:
    """The response to the last piece may have been lost, and a finished upload has no offset."""
    file = yield from _get(settings, file_id, options)
    if file.status != "UPLOADING":
        return pieces.size
    if file.size != pieces.size:
        raise UsageError(
            f"The upload of {file.name} has {file.size} bytes, and this source {pieces.size}."
        )
    spec = RequestSpec("HEAD", UPLOAD, (file_id,), options=_once(options), is_upload=True)
    return int((yield from send(settings, spec)).data)


def _send_piece(
    settings: Settings, file_id: str, at: int, content: bytes, options: RequestOptions
) -> Flow[int]:
    once = _once(options)
    once["headers"] = {**(options.get("headers") or {}), "upload-offset": str(at)}
    spec = RequestSpec(
        "PATCH", UPLOAD, (file_id,), options=once, is_upload=True, upload_content=content
    )
    return int((yield from send(settings, spec)).data)


def _get(settings: Settings, file_id: str, options: RequestOptions) -> Flow[File]:
    spec = RequestSpec("GET", FILE, (file_id,), options=_plain(options))
    return (yield from send_for(settings, File, spec))


def _plain(options: RequestOptions) -> RequestOptions:
    return RequestOptions(timeout=options.get("timeout"), headers=options.get("headers"))


def _once(options: RequestOptions) -> RequestOptions:
    """A piece is never sent again before the server has said how much arrived."""
    once = _plain(options)
    once["max_retries"] = 0
    return once


def _length_after(length: int, seconds: float) -> int:
    factor = min(4.0, max(0.25, PIECE_SECONDS / max(seconds, 0.001)))
    return round(min(MAX_PIECE, max(MIN_PIECE, length * factor)))


def _may_go_on(error: AtriumError) -> bool:
    """
    A conflict says that the offset is another one, or that the piece before is still being
    written.
    """
    if isinstance(error, (ConnectionError, TimeoutError)):
        return True
    if isinstance(error, ConflictError):
        return error.reason != "quota_reached"
    return error.status is not None and (error.status >= 500 or error.status == 429)


def wait_until_ready(
    settings: Settings, file_id: str, timeout: float, text: bool, options: RequestOptions
) -> Flow[File]:
    deadline = time.monotonic() + read_timeout(timeout)
    attempt = 1
    while True:
        file = yield from _get(settings, file_id, options)
        if file.status in ("FAILED", "REFUSED"):
            why = file.reason or f"it is {file.status}"
            raise AtriumError(f"{file.name} can't be used: {why}", code=f"FILE_{file.status}")
        if file.status == "READY" and not (text and file.text == "PENDING"):
            return file
        pause = backoff(attempt, FIRST_POLL, MAX_POLL)
        if time.monotonic() + pause > deadline:
            raise TimeoutError(f"{file.name} was not ready within {timeout:g} s.", code="TIMEOUT")
        yield Sleep(pause)
        attempt += 1
