# Generated from ../_sync/documents.py by scripts/generate.ts. Change that file, not this one.
from __future__ import annotations

from .._namespace import AsyncNamespace
from .._options import RequestOptions
from .._typing import Unpack
from ..types import Document, DocumentMatches


class AsyncDocuments(AsyncNamespace):
    """Documents: the texts of files, which agents and searches quote with their pages."""

    async def get(self, id: str, **options: Unpack[RequestOptions]) -> Document:
        """Gets a document by id. `file_id` is the file that it is the text of."""
        path = "/documents/{id}"
        return await self._call(Document, "GET", path, id, options=options)

    async def search(
        self,
        *,
        query: str,
        project_id: str | None = None,
        file_id: str | None = None,
        source_id: str | None = None,
        limit: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> DocumentMatches:
        """Finds passages by meaning and by words, best match first. Counts as a read."""
        body = {
            "query": query,
            "projectId": project_id,
            "fileId": file_id,
            "sourceId": source_id,
            "limit": limit,
        }
        path = "/documents/search"
        return await self._call(DocumentMatches, "POST", path, body=body, options=options, is_search=True)
