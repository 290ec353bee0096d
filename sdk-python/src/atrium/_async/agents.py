# Generated from ../_sync/agents.py by scripts/generate.ts. Change that file, not this one.
from __future__ import annotations

from collections.abc import Sequence

from .._models import NOT_GIVEN, NotGiven
from .._namespace import AsyncNamespace
from .._options import RequestOptions
from .._pages import AsyncPager
from .._typing import Unpack
from ..types import Agent, AgentList, AgentTool


class AsyncAgents(AsyncNamespace):
    """Agents that a team defines. Mentioning one makes it answer under its own name."""

    def list(
        self, *, archived: bool | None = None, **options: Unpack[RequestOptions]
    ) -> AsyncPager[Agent]:
        """Lists the agents you can see, newest first, or those that were archived."""
        return self._list(AgentList, "/agents", query={"archived": archived}, options=options)

    async def create(
        self,
        *,
        slug: str,
        name: str,
        description: str | None = None,
        instructions: str | None = None,
        model: str | None = None,
        tools: Sequence[AgentTool] | None = None,
        mcp_server_ids: Sequence[str] | None = None,
        project_ids: Sequence[str] | None = None,
        is_enabled: bool | None = None,
        **options: Unpack[RequestOptions],
    ) -> Agent:
        """Creates an agent. Without `project_ids` it answers in every Project."""
        body = {
            "slug": slug,
            "name": name,
            "description": description,
            "instructions": instructions,
            "model": model,
            "tools": tools,
            "mcpServerIds": mcp_server_ids,
            "projectIds": project_ids,
            "isEnabled": is_enabled,
        }
        return await self._call(Agent, "POST", "/agents", body=body, options=options)

    async def get(self, id: str, **options: Unpack[RequestOptions]) -> Agent:
        """Gets an agent by id, archived or not."""
        return await self._call(Agent, "GET", "/agents/{id}", id, options=options)

    async def update(
        self,
        id: str,
        *,
        slug: str | NotGiven | None = NOT_GIVEN,
        name: str | NotGiven | None = NOT_GIVEN,
        description: str | NotGiven | None = NOT_GIVEN,
        instructions: str | NotGiven | None = NOT_GIVEN,
        model: str | NotGiven | None = NOT_GIVEN,
        tools: Sequence[AgentTool] | NotGiven | None = NOT_GIVEN,
        mcp_server_ids: Sequence[str] | NotGiven | None = NOT_GIVEN,
        project_ids: Sequence[str] | NotGiven | None = NOT_GIVEN,
        is_enabled: bool | NotGiven | None = NOT_GIVEN,
        **options: Unpack[RequestOptions],
    ) -> Agent:
        """Updates the given fields. None clears description, instructions, model and lists."""
        body = {
            "slug": slug,
            "name": name,
            "description": description,
            "instructions": instructions,
            "model": model,
            "tools": tools,
            "mcpServerIds": mcp_server_ids,
            "projectIds": project_ids,
            "isEnabled": is_enabled,
        }
        return await self._call(Agent, "PATCH", "/agents/{id}", id, body=body, options=options)

    async def archive(self, id: str, **options: Unpack[RequestOptions]) -> None:
        """Archives an agent. It no longer answers, and its slug stays taken."""
        await self._do("DELETE", "/agents/{id}", id, options=options)

    async def restore(self, id: str, **options: Unpack[RequestOptions]) -> Agent:
        """Undoes an archive."""
        return await self._call(Agent, "POST", "/agents/{id}/restore", id, options=options)
