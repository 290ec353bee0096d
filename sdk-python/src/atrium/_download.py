"""A file that is received while it is read."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from typing import TypeAlias

import httpx

from .errors import ConnectionError

Path: TypeAlias = "str | os.PathLike[str]"


class Download:
    """Iterate over its bytes once, or save it. Close it if you do neither."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from self._response.iter_bytes()
        except httpx.HTTPError as cause:
            raise _broken_off(cause) from cause
        finally:
            self.close()

    def save(self, path: Path) -> None:
        """Writes the file. What was received stays there if the download breaks off."""
        with open(path, "wb") as file:
            for chunk in self:
                file.write(chunk)

    def close(self) -> None:
        self._response.close()


class AsyncDownload:
    """Iterate over its bytes once, or save it. Close it if you do neither."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for chunk in self._response.aiter_bytes():
                yield chunk
        except httpx.HTTPError as cause:
            raise _broken_off(cause) from cause
        finally:
            await self.close()

    async def save(self, path: Path) -> None:
        """Writes the file. What was received stays there if the download breaks off."""
        file = await asyncio.to_thread(open, path, "wb")
        with file:
            async for chunk in self:
                await asyncio.to_thread(file.write, chunk)

    async def close(self) -> None:
        await self._response.aclose()


def _broken_off(cause: httpx.HTTPError) -> ConnectionError:
    why = f" ({cause})" if str(cause) else ""
    return ConnectionError(f"The download broke off{why}. Start it again.", code="CONNECTION_ERROR")
