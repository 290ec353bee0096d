"""Storing many memories, in batches."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, TypedDict

from ._flow import Flow, send_for
from ._options import RequestOptions, Settings
from ._request import RequestSpec
from .types import Memory, MemoryBatch, Visibility

MAX_ITEMS = 100
"""The most that the server takes in one request."""
MAX_CHARACTERS = 200_000
"""Of JSON: long texts go in smaller batches, so that each is answered within the timeout."""

OnProgress: TypeAlias = Callable[[int, int], None]
NAMES = {"project_id": "projectId", "source_url": "sourceUrl"}


class _NewMemory(TypedDict):
    content: str
    visibility: Visibility


class NewMemory(_NewMemory, total=False):
    """One item of `create_batch` and `create_many`: the parameters of `create`."""

    project_id: str | None
    tags: Sequence[str] | None
    source_url: str | None


def batch_body(items: Sequence[NewMemory]) -> dict[str, object]:
    return {
        "items": [{NAMES.get(name, name): value for name, value in item.items()} for item in items]
    }


def create_many(
    settings: Settings,
    path: str,
    items: Sequence[NewMemory],
    on_progress: OnProgress | None,
    options: RequestOptions,
) -> Flow[list[Memory]]:
    """Each batch has its own Idempotency-Key. The caller's gets the batch's number added to it."""
    created: list[Memory] = []
    key = options.get("idempotency_key")
    for number, batch in enumerate(_batches(items), start=1):
        each = RequestOptions(
            timeout=options.get("timeout"),
            max_retries=options.get("max_retries"),
            headers=options.get("headers"),
            idempotency_key=None if key is None else f"{key}-{number}",
        )
        spec = RequestSpec("POST", path, (), {}, batch_body(batch), each)
        added = yield from send_for(settings, MemoryBatch, spec)
        created += added.items
        if on_progress is not None:
            on_progress(len(created), len(items))
    return created


def _batches(items: Sequence[NewMemory]) -> Iterator[list[NewMemory]]:
    batch: list[NewMemory] = []
    characters = 0
    for item in items:
        size = len(json.dumps(item, ensure_ascii=False, default=str))
        if len(batch) == MAX_ITEMS or (batch and characters + size > MAX_CHARACTERS):
            yield batch
            batch, characters = [], 0
        batch.append(item)
        characters += size
    if batch:
        yield batch
