# Generated from memory.py by scripts/generate.ts. Change that file, not this one.
from __future__ import annotations

import builtins
from collections.abc import Sequence
from datetime import datetime

from .. import types
from .._create_many import NewMemory, OnProgress, batch_body, create_many
from .._models import NOT_GIVEN, NotGiven
from .._namespace import Namespace
from .._options import RequestOptions
from .._pages import Page
from .._typing import Unpack
from ..types import MemoryBatch, MemoryMatches, MemoryPage, Visibility


class Memories(Namespace):
    """ORG and PROJECT memories of the whole organisation, never PRIVATE ones."""

    def list(
        self,
        *,
        visibility: Visibility | None = None,
        project_id: str | None = None,
        tag: str | None = None,
        before: str | None = None,
        limit: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> Page[types.Memory]:
        """Lists the organisation's ORG and PROJECT memories, newest first."""
        query = {
            "visibility": visibility,
            "projectId": project_id,
            "tag": tag,
            "before": before,
            "limit": limit,
        }
        return self._list(MemoryPage, "/memories", query=query, options=options)

    def create(
        self,
        *,
        content: str,
        visibility: Visibility,
        project_id: str | None = None,
        tags: Sequence[str] | None = None,
        source_url: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> types.Memory:
        """Stores a memory. With PROJECT visibility, `project_id` is required."""
        body = {
            "content": content,
            "visibility": visibility,
            "projectId": project_id,
            "tags": tags,
            "sourceUrl": source_url,
        }
        return self._call(types.Memory, "POST", "/memories", body=body, options=options)

    def create_batch(
        self,
        *,
        items: Sequence[NewMemory],
        **options: Unpack[RequestOptions],
    ) -> MemoryBatch:
        """Stores 1 to 100 memories in one request: all of them, or none."""
        body = batch_body(items)
        return self._call(MemoryBatch, "POST", "/memories/batch", body=body, options=options)

    def create_many(
        self,
        items: Sequence[NewMemory],
        *,
        on_progress: OnProgress | None = None,
        **options: Unpack[RequestOptions],
    ) -> builtins.list[types.Memory]:
        """
        Stores any number of memories, in batches and in order. If a batch fails, the ones before
        it stay: call it again with the same `idempotency_key` to continue.

        - `on_progress`: called after each batch with the number created and the total.
        """
        path = "/memories/batch"
        flow = create_many(self._client._settings, path, items, on_progress, options)
        return self._run(flow)

    def get(self, id: str, **options: Unpack[RequestOptions]) -> types.Memory:
        """Gets a memory by id."""
        return self._call(types.Memory, "GET", "/memories/{id}", id, options=options)

    def update(
        self,
        id: str,
        *,
        content: str | NotGiven | None = NOT_GIVEN,
        visibility: Visibility | NotGiven | None = NOT_GIVEN,
        project_id: str | NotGiven | None = NOT_GIVEN,
        tags: Sequence[str] | NotGiven | None = NOT_GIVEN,
        source_url: str | NotGiven | None = NOT_GIVEN,
        **options: Unpack[RequestOptions],
    ) -> types.Memory:
        """Updates the given fields. None clears the tags, the source or the Project."""
        path = "/memories/{id}"
        body = {
            "content": content,
            "visibility": visibility,
            "projectId": project_id,
            "tags": tags,
            "sourceUrl": source_url,
        }
        return self._call(types.Memory, "PATCH", path, id, body=body, options=options)

    def delete(self, id: str, **options: Unpack[RequestOptions]) -> None:
        """Deletes a memory permanently."""
        self._do("DELETE", "/memories/{id}", id, options=options)

    def search(
        self,
        *,
        query: str,
        project_id: str | None = None,
        limit: int | None = None,
        visibility: Visibility | None = None,
        tags: Sequence[str] | None = None,
        threshold: float | None = None,
        created_after: datetime | None = None,
        created_before: datetime | None = None,
        **options: Unpack[RequestOptions],
    ) -> MemoryMatches:
        """Finds the memories closest in meaning, best match first. Counts as a read."""
        body = {
            "query": query,
            "projectId": project_id,
            "limit": limit,
            "visibility": visibility,
            "tags": tags,
            "threshold": threshold,
            "createdAfter": created_after,
            "createdBefore": created_before,
        }
        return self._call(
            MemoryMatches,
            "POST",
            "/memories/search",
            body=body,
            options=options,
            is_search=True,
        )
