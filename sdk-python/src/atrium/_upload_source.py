"""What can be uploaded, read in pieces."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO, TypeAlias

from .errors import UsageError

UploadSource: TypeAlias = "str | os.PathLike[str] | bytes | bytearray | memoryview | BinaryIO"
"""A path, bytes, or a file opened in binary mode."""


@dataclass
class Pieces:
    name: str
    size: int
    _file: BinaryIO
    _start: int
    """Where the bytes begin in the file."""
    _at: int = 0
    _kept: bytes = b""
    """The last piece. The server may have only a part of it."""

    def read(self, offset: int, length: int) -> bytes:
        """May begin again at any place of the last piece, and anywhere if the file can seek."""
        if self._file.seekable():
            self._file.seek(self._start + offset)
            piece = _read_fully(self._file, length)
        else:
            piece = self._read_on(offset, length)
        if len(piece) < length:
            raise UsageError(f"The source ended after {offset + len(piece)} of {self.size} bytes.")
        return piece

    def _read_on(self, offset: int, length: int) -> bytes:
        if offset < self._at:
            raise UsageError("files.upload needs bytes again that were sent before.")
        while offset > self._at + len(self._kept):
            self._at += len(self._kept)
            self._kept = self._file.read(min(MAX_PIECE, offset - self._at))
            if not self._kept:
                return b""
        self._kept = self._kept[offset - self._at :]
        self._at = offset
        self._kept += _read_fully(self._file, length - len(self._kept))
        return self._kept[:length]


MAX_PIECE = 4 * 1024 * 1024


@contextmanager
def open_source(source: UploadSource, name: str | None, size: int | None) -> Iterator[Pieces]:
    if isinstance(source, (str, os.PathLike)):
        with _open(source) as file:
            yield _pieces(file, name or os.path.basename(os.fspath(source)), size)
    elif isinstance(source, (bytes, bytearray, memoryview)):
        yield _pieces(io.BytesIO(source), name, size)
    elif callable(getattr(source, "read", None)):
        own = getattr(source, "name", None)
        yield _pieces(
            source, name or (os.path.basename(own) if isinstance(own, str) else None), size
        )
    else:
        raise UsageError(
            f"files.upload takes a path, bytes or a file, not {type(source).__name__}."
        )


def _open(path: str | os.PathLike[str]) -> BinaryIO:
    try:
        return open(path, "rb")
    except OSError as cause:
        raise UsageError(f"files.upload can't read {os.fspath(path)}: {cause}") from cause


def _pieces(file: BinaryIO, name: str | None, size: int | None) -> Pieces:
    given: object = file
    if isinstance(given, io.TextIOBase):
        raise UsageError('files.upload needs a file that was opened in binary mode, such as "rb".')
    if not name:
        raise UsageError("files.upload needs a `name`, because the source has none.")
    if not file.seekable():
        if size is None:
            raise UsageError("files.upload needs the `size` of a source that can't seek.")
        return Pieces(name, size, file, 0)
    start = file.tell()
    there = file.seek(0, os.SEEK_END) - start
    file.seek(start)
    if size is not None and size != there:
        raise UsageError(f"`size` is {size}, but the source has {there} bytes.")
    return Pieces(name, there, file, start)


def _read_fully(file: BinaryIO, length: int) -> bytes:
    """A pipe may return less than it is asked for."""
    chunks = []
    while length > 0:
        chunk = file.read(length)
        if not chunk:
            break
        chunks.append(chunk)
        length -= len(chunk)
    return b"".join(chunks)
