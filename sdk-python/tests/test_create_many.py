"""`memory.create_many`."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from atrium import AsyncAtrium, AtriumMemory, ConflictError, NewMemory

RECORD: dict[str, Any] = {
    "id": "m",
    "visibility": "ORG",
    "projectId": None,
    "ownerUserId": None,
    "tags": [],
    "sourceUrl": None,
    "embeddingStatus": "READY",
    "createdAt": "2026-11-15T09:30:00.000Z",
    "updatedAt": "2026-11-15T09:30:00.000Z",
}


class Fake:
    """A server that stores what it is sent, and refuses the batch with this number."""

    def __init__(self, refused: int = 0) -> None:
        self.refused = refused
        self.sent: list[tuple[str, str, list[dict[str, Any]]]] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        items = json.loads(request.content)["items"]
        self.sent.append((request.url.path, request.headers["idempotency-key"], items))
        if len(self.sent) == self.refused:
            error = {"code": "CONFLICT", "message": "No.", "details": {}}
            return httpx.Response(409, json={"success": False, "error": error, "metadata": {}})
        created = [{**RECORD, **item} for item in items]
        data = {"items": created, "total": len(created)}
        return httpx.Response(201, json={"success": True, "data": data, "metadata": {}})


def notes(count: int, content: str = "note") -> list[NewMemory]:
    return [{"content": f"{content} {index}", "visibility": "ORG"} for index in range(count)]


async def test_a_list_is_cut_into_batches_in_order_and_shows_progress() -> None:
    fake, shown = Fake(), list[tuple[int, int]]()
    async with httpx.AsyncClient(transport=httpx.MockTransport(fake)) as http:
        client = AsyncAtrium(api_key="atr_" + "a" * 46, http_client=http)
        created = await client.memory.create_many(
            notes(250), on_progress=lambda done, total: shown.append((done, total))
        )
    assert [len(items) for _, _, items in fake.sent] == [100, 100, 50]
    assert len({key for _, key, _ in fake.sent}) == 3
    assert [memory.content for memory in created] == [note["content"] for note in notes(250)]
    assert shown == [(100, 250), (200, 250), (250, 250)]


def test_long_texts_and_snake_case_fields() -> None:
    fake = Fake()
    with httpx.Client(transport=httpx.MockTransport(fake)) as http:
        client = AtriumMemory(api_key="sk_live_" + "a" * 46, http_client=http)
        client.memories.create_many(notes(45, "x" * 9_990))
        assert [len(items) for _, _, items in fake.sent] == [19, 19, 7]
        assert client.memories.create_many([]) == []
        client.memories.create_many(
            [{"content": "c", "visibility": "PROJECT", "project_id": "p", "source_url": None}]
        )
    path, _, items = fake.sent[-1]
    assert path == "/api/v1/memories/batch"
    assert items == [{"content": "c", "visibility": "PROJECT", "projectId": "p", "sourceUrl": None}]


def test_a_second_call_with_the_same_key_repeats_the_first_batches() -> None:
    fake = Fake(refused=2)
    with httpx.Client(transport=httpx.MockTransport(fake)) as http:
        client = AtriumMemory(api_key="sk_live_" + "a" * 46, http_client=http)
        with pytest.raises(ConflictError):
            client.memories.create_many(notes(201), idempotency_key="wiki")
        client.memories.create_many(notes(201), idempotency_key="wiki")
    keys = [key for _, key, _ in fake.sent]
    assert keys == ["wiki-1", "wiki-2", "wiki-1", "wiki-2", "wiki-3"]
    assert fake.sent[0] == fake.sent[2]
