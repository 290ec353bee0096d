"""`files.upload`, and what has files, on the real server."""

from __future__ import annotations

import io
import os
import pathlib
from typing import Any

import httpx
import pytest

import atrium._upload
from atrium import (
    AsyncAtrium,
    AsyncDownload,
    Atrium,
    ConnectionError,
    Download,
    NotFoundError,
    UploadProgress,
    UsageError,
)

from .server import Server

CONTENT = os.urandom(700_000)


@pytest.fixture
async def project_id(client: AsyncAtrium) -> str:
    return (await client.projects.create(name=f"Files {os.urandom(3).hex()}")).id


async def read(download: Download | AsyncDownload) -> bytes:
    if isinstance(download, Download):
        return b"".join(download)
    return b"".join([chunk async for chunk in download])


class Pipe(io.RawIOBase):
    """Can't seek, and gives a little at a time."""

    def __init__(self, content: bytes) -> None:
        self._left = io.BytesIO(content)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        chunk = self._left.read(min(len(buffer), 50_000))
        buffer[: len(chunk)] = chunk
        return len(chunk)


@pytest.mark.parametrize("source", ["bytes", "bytearray", "file", "pipe", "path", "str"])
async def test_stores_it_as_it_is_and_says_how_far_it_is(
    client: AsyncAtrium, project_id: str, tmp_path: pathlib.Path, source: str
) -> None:
    path = tmp_path / "own name.bin"
    path.write_bytes(CONTENT)
    given: Any = {
        "bytes": CONTENT,
        "bytearray": bytearray(CONTENT),
        "file": io.BytesIO(CONTENT),
        "pipe": Pipe(CONTENT),
        "path": path,
        "str": str(path),
    }[source]
    steps: list[UploadProgress] = []
    name = None if source in ("path", "str") else "data.bin"
    size = len(CONTENT) if source == "pipe" else None
    file = await client.files.upload(
        project_id, given, name=name, size=size, on_progress=steps.append
    )
    assert file.name == (name or "own name.bin")
    assert file.status in ("CHECKING", "READY")
    assert steps[0] == UploadProgress(file.id, 0, len(CONTENT))
    assert steps[-1].sent == len(CONTENT)
    await client.files.wait_until_ready(file.id)
    assert await read(await client.files.download(file.id)) == CONTENT


class Cutting(httpx.BaseTransport):
    """Loses some pieces on their way, and the responses to others."""

    def __init__(self, cuts: int) -> None:
        self._inner = httpx.HTTPTransport()
        self._left = cuts
        self.heads = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.heads += request.method == "HEAD"
        if request.method != "PATCH" or self._left <= 0:
            return self._inner.handle_request(request)
        self._left -= 1
        if self._left % 2:
            self._inner.handle_request(request).close()
        raise httpx.ReadError("cut", request=request)

    def close(self) -> None:
        self._inner.close()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atrium._upload, "backoff", lambda *_: 0.05)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("source", [CONTENT, Pipe(CONTENT)], ids=["bytes", "pipe"])
def test_goes_on_where_it_was_after_lost_connections(server: Server, source: Any) -> None:
    transport = Cutting(4)
    with httpx.Client(transport=transport) as http:
        client = Atrium(api_key=server.key, base_url=server.base_url, http_client=http)
        project = client.projects.create(name=f"Cut {os.urandom(3).hex()}")
        file = client.files.upload(project.id, source, name="cut.bin", size=len(CONTENT))
        client.files.wait_until_ready(file.id)
        assert b"".join(client.files.download(file.id)) == CONTENT
    assert transport.heads >= 3


@pytest.mark.usefixtures("quick")
def test_gives_up_when_nothing_arrives_any_more(server: Server) -> None:
    with httpx.Client(transport=Cutting(1_000_000)) as http:
        client = Atrium(api_key=server.key, base_url=server.base_url, http_client=http)
        project = client.projects.create(name=f"Never {os.urandom(3).hex()}")
        with pytest.raises(ConnectionError):
            client.files.upload(project.id, b"x" * 10, name="never.bin", max_retries=0)


async def test_is_resumed_with_the_same_bytes(client: AsyncAtrium, project_id: str) -> None:
    class Stopped(Exception):
        pass

    file_id = ""

    def stop(step: UploadProgress) -> None:
        nonlocal file_id
        file_id = step.file_id
        if step.sent > 0:
            raise Stopped

    with pytest.raises(Stopped):
        await client.files.upload(project_id, CONTENT, name="late", on_progress=stop)
    assert (await client.files.get(file_id)).status == "UPLOADING"
    with pytest.raises(UsageError, match="700000 bytes"):
        await client.files.upload(project_id, CONTENT[1:], name="late", resume=file_id)
    steps: list[UploadProgress] = []
    file = await client.files.upload(
        project_id,
        Pipe(CONTENT),  # type: ignore[arg-type]
        name="late",
        size=len(CONTENT),
        resume=file_id,
        on_progress=steps.append,
    )
    assert file.id == file_id
    assert steps[0].sent > 0
    await client.files.wait_until_ready(file_id)
    assert await read(await client.files.download(file_id)) == CONTENT


async def test_messages_and_tasks_take_files(client: AsyncAtrium, server: Server) -> None:
    project = await client.projects.create(name=f"Has files {os.urandom(3).hex()}")
    session = await client.sessions.create(project.slug, name="Talk")
    file = await client.files.upload(project.id, b"Notice: three months.\n", name="terms.txt")
    message = await client.messages.post(project.slug, session.id, file_ids=[file.id])
    assert [each.name for each in message.attachments] == ["terms.txt"]
    task = await client.tasks.create(project.id, title="Read the terms")
    changed = await client.tasks.set_files(project.id, task.id, file_ids=[file.id])
    assert [each.file_id for each in changed.attachments] == [file.id]
    ready = await client.files.wait_until_ready(file.id)
    assert ready.media_type == "text/plain"
    part = await client.files.download(file.id, byte_range=(0, 5))
    assert await read(part) == b"Notice"
    rest = await client.files.download(file.id, byte_range=(8, None))
    assert await read(rest) == b"three months.\n"
    shared = await client.files.update(file.id, name="terms 2.txt", is_shared=True)
    assert (shared.name, shared.is_shared) == ("terms 2.txt", True)
    found = await client.files.list(project.id, query="terms", type="text/")
    assert [each.id for each in found.items] == [file.id]
    await client.files.wait_until_ready(file.id, text=True)
    assert (await client.files.find(file.id, query="THREE months")).total == 1
    everywhere = await client.files.list_all(query="terms 2")
    assert file.id in {each.id for each in everywhere.items}
    usage = await client.files.usage(server.org_id)
    assert 0 < usage.bytes < usage.max_bytes
    await client.files.delete(file.id)
    with pytest.raises(NotFoundError):
        await client.files.get(file.id)


@pytest.mark.parametrize(
    ("source", "options", "said"),
    [
        (b"x", {}, "`name`"),
        (Pipe(b"x"), {"name": "a"}, "`size`"),
        ("/no/such.pdf", {}, "/no/such.pdf"),
        (b"x", {"name": "a", "size": 3}, "`size` is 3"),
        (io.StringIO("x"), {"name": "a"}, "binary mode"),
        (7, {"name": "a"}, "not int"),
    ],
    ids=["no name", "no size", "no file", "another size", "text", "a number"],
)
async def test_a_source_that_cannot_be_sent(
    faked: AsyncAtrium, source: Any, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        await faked.files.upload("p", source, **options)
