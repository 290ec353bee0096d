from __future__ import annotations

from .._download import Download
from .._models import NOT_GIVEN, NotGiven
from .._namespace import Namespace
from .._options import RequestOptions, WaitOptions
from .._pages import Page
from .._typing import Unpack
from .._upload import OnUploadProgress, Uploading, upload, wait_until_ready
from .._upload_source import UploadSource
from ..types import File, FileMatches, FilePage, FileText, FileUpload, FileUsage

FILES = "/projects/{projectId}/files"
FILE = "/files/{id}"


class Files(Namespace):
    """Files of a Project: what messages and tasks have attached, and what its members share."""

    def upload(
        self,
        project_id: str,
        source: UploadSource,
        *,
        name: str | None = None,
        media_type: str | None = None,
        size: int | None = None,
        resume: str | None = None,
        on_progress: OnUploadProgress | None = None,
        **options: Unpack[RequestOptions],
    ) -> File:
        """
        Uploads a file in pieces, and goes on where it stopped if the connection is lost. What it
        returns is stored and can be attached, but may still be checked: see `wait_until_ready`.

        - `source`: a path, bytes, or a file opened in binary mode.
        - `name`: default: the name of the path or file.
        - `media_type`: a hint. The server looks at the bytes.
        - `size`: only needed for a source that can't seek.
        - `resume`: the id of a file whose upload was interrupted.
        - `on_progress`: called when the upload is open, and after each piece.
        """
        what = Uploading(project_id, source, name, media_type, size, resume, on_progress)
        return self._run(upload(self._client._settings, what, options))

    def wait_until_ready(
        self,
        id: str,
        *,
        timeout: float = 120.0,
        text: bool = False,
        **options: Unpack[WaitOptions],
    ) -> File:
        """
        Waits until a file was checked. Raises an AtriumError with the code FILE_REFUSED or
        FILE_FAILED if it can't be used.

        - `timeout`: seconds for the whole wait.
        - `text`: also waits until its text was read, so that agents and searches find it.
        """
        each = RequestOptions(headers=options.get("headers"))
        return self._run(wait_until_ready(self._client._settings, id, timeout, text, each))

    def create(
        self,
        project_id: str,
        *,
        name: str,
        size: int,
        media_type: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> FileUpload:
        """
        Opens an upload, for programs that send the bytes themselves, to `upload_url`. `upload`
        does both.
        """
        body = {"name": name, "size": size, "mediaType": media_type}
        return self._call(FileUpload, "POST", FILES, project_id, body=body, options=options)

    def list(
        self,
        project_id: str,
        *,
        page: int | None = None,
        limit: int | None = None,
        query: str | None = None,
        type: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Page[File]:
        """Lists the Project's files that you may read, newest first."""
        params = {"page": page, "limit": limit, "query": query, "type": type}
        return self._list(FilePage, FILES, project_id, query=params, options=options)

    def list_all(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        query: str | None = None,
        type: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> Page[File]:
        """Lists all files that you may read, newest first, also those of direct conversations."""
        params = {"page": page, "limit": limit, "query": query, "type": type}
        return self._list(FilePage, "/files", query=params, options=options)

    def get(self, id: str, **options: Unpack[RequestOptions]) -> File:
        """Gets a file's record."""
        return self._call(File, "GET", FILE, id, options=options)

    def update(
        self,
        id: str,
        *,
        name: str | NotGiven | None = NOT_GIVEN,
        is_shared: bool | NotGiven | None = NOT_GIVEN,
        **options: Unpack[RequestOptions],
    ) -> File:
        """Renames a file, or shares it with everyone in its Project."""
        body = {"name": name, "isShared": is_shared}
        return self._call(File, "PATCH", FILE, id, body=body, options=options)

    def delete(self, id: str, **options: Unpack[RequestOptions]) -> None:
        """Deletes a file. Messages and tasks lose it too."""
        self._do("DELETE", FILE, id, options=options)

    def download(
        self,
        id: str,
        *,
        download: bool | None = None,
        byte_range: tuple[int, int | None] | None = None,
        **options: Unpack[RequestOptions],
    ) -> Download:
        """
        Downloads a file.

        - `download`: only changes what a browser would do with it.
        - `byte_range`: only the bytes from the first to the last, or to the end if that is None.
        """
        path = "/files/{id}/content"
        query = {"download": download}
        return self._download(path, id, query=query, byte_range=byte_range, options=options)

    def preview(
        self,
        id: str,
        *,
        width: int | None = None,
        page: int | None = None,
        byte_range: tuple[int, int | None] | None = None,
        **options: Unpack[RequestOptions],
    ) -> Download:
        """Downloads a picture of a file, or of a page of a PDF, as WebP."""
        query = {"width": width, "page": page}
        return self._download(
            "/files/{id}/preview", id, query=query, byte_range=byte_range, options=options
        )

    def text(
        self, id: str, *, page: int | None = None, **options: Unpack[RequestOptions]
    ) -> FileText:
        """Gets the text of a page."""
        query = {"page": page}
        path = "/files/{id}/text"
        return self._call(FileText, "GET", path, id, query=query, options=options)

    def find(
        self,
        id: str,
        *,
        query: str,
        page: int | None = None,
        **options: Unpack[RequestOptions],
    ) -> FileMatches:
        """Counts words on the pages of a file, and says where they are on one page of a PDF."""
        what = {"query": query, "page": page}
        path = "/files/{id}/matches"
        return self._call(FileMatches, "GET", path, id, query=what, options=options)

    def usage(self, org_id: str, **options: Unpack[RequestOptions]) -> FileUsage:
        """Gets how much the organisation has stored, and how much it may store."""
        return self._call(FileUsage, "GET", "/org/{orgId}/files/usage", org_id, options=options)
