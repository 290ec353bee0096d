# Generated from ../_sync/projects.py by scripts/generate.ts. Change that file, not this one.
from __future__ import annotations

from collections.abc import Sequence

from .._models import NOT_GIVEN, NotGiven
from .._namespace import AsyncNamespace
from .._options import RequestOptions
from .._pages import AsyncPager
from .._typing import Unpack
from ..types import (
    BroadcastRule,
    Project,
    ProjectAccess,
    ProjectMember,
    ProjectMemberList,
    ProjectPage,
)


class AsyncProjects(AsyncNamespace):
    """Projects: each has its own sessions and memory."""

    def list(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        slug: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> AsyncPager[Project]:
        """Lists the Projects you can see, newest first. Archived Projects are left out."""
        query = {"page": page, "limit": limit, "slug": slug}
        return self._list(ProjectPage, "/projects", query=query, options=options)

    async def create(
        self,
        *,
        name: str,
        description: str | None = None,
        tags: Sequence[str] | None = None,
        access: ProjectAccess | None = None,
        broadcasts: BroadcastRule | None = None,
        **options: Unpack[RequestOptions],
    ) -> Project:
        """Creates a Project. Its slug is derived from the name and never changes.

        `broadcasts` says who may tell everybody with @here and @everyone.
        """
        body = {
            "name": name,
            "description": description,
            "tags": tags,
            "access": access,
            "broadcasts": broadcasts,
        }
        return await self._call(Project, "POST", "/projects", body=body, options=options)

    async def get(self, project_id: str, **options: Unpack[RequestOptions]) -> Project:
        """Gets a Project by id, archived or not."""
        return await self._call(Project, "GET", "/projects/{projectId}", project_id, options=options)

    async def update(
        self,
        project_id: str,
        *,
        name: str | NotGiven | None = NOT_GIVEN,
        description: str | NotGiven | None = NOT_GIVEN,
        tags: Sequence[str] | NotGiven | None = NOT_GIVEN,
        access: ProjectAccess | NotGiven | None = NOT_GIVEN,
        default_agent: str | NotGiven | None = NOT_GIVEN,
        broadcasts: BroadcastRule | NotGiven | None = NOT_GIVEN,
        **options: Unpack[RequestOptions],
    ) -> Project:
        """Updates the given fields. None clears the description, the tags or the default agent."""
        path = "/projects/{projectId}"
        body = {
            "name": name,
            "description": description,
            "tags": tags,
            "access": access,
            "defaultAgent": default_agent,
            "broadcasts": broadcasts,
        }
        return await self._call(Project, "PATCH", path, project_id, body=body, options=options)

    async def archive(self, project_id: str, **options: Unpack[RequestOptions]) -> None:
        """Archives a Project. It becomes read-only."""
        await self._do("DELETE", "/projects/{projectId}", project_id, options=options)

    async def restore(self, project_id: str, **options: Unpack[RequestOptions]) -> Project:
        """Undoes an archive."""
        path = "/projects/{projectId}/restore"
        return await self._call(Project, "POST", path, project_id, options=options)

    def list_members(
        self,
        project_id: str,
        **options: Unpack[RequestOptions],
    ) -> AsyncPager[ProjectMember]:
        """Lists a Project's members."""
        path = "/projects/{projectId}/members"
        return self._list(ProjectMemberList, path, project_id, options=options)

    async def add_member(
        self,
        project_id: str,
        user_id: str,
        **options: Unpack[RequestOptions],
    ) -> ProjectMember:
        """Adds a member of the organisation to a Project. Adding them again changes nothing."""
        path = "/projects/{projectId}/members/{userId}"
        return await self._call(ProjectMember, "PUT", path, project_id, user_id, options=options)

    async def remove_member(
        self,
        project_id: str,
        user_id: str,
        **options: Unpack[RequestOptions],
    ) -> None:
        """Removes a member from a Project."""
        path = "/projects/{projectId}/members/{userId}"
        await self._do("DELETE", path, project_id, user_id, options=options)
