from __future__ import annotations

from collections.abc import Sequence

from .._namespace import Namespace
from .._options import RequestOptions
from .._pages import Page
from .._typing import Unpack
from ..types import ConnectionTest, McpAuthType, McpServer, McpServerList


class Mcp(Namespace):
    """MCP servers. Mentioning one lets the model use its tools."""

    def list(self, **options: Unpack[RequestOptions]) -> Page[McpServer]:
        """Lists the organisation's MCP servers."""
        return self._list(McpServerList, "/mcp/servers", options=options)

    def create(
        self,
        *,
        display_name: str,
        mention_slug: str,
        endpoint_url: str,
        auth_type: McpAuthType,
        secret: str | None = None,
        **options: Unpack[RequestOptions],
    ) -> McpServer:
        """Registers an MCP server. Its secret is stored encrypted and never returned."""
        body = {
            "displayName": display_name,
            "mentionSlug": mention_slug,
            "endpointUrl": endpoint_url,
            "authType": auth_type,
            "secret": secret,
        }
        return self._call(McpServer, "POST", "/mcp/servers", body=body, options=options)

    def delete(self, id: str, **options: Unpack[RequestOptions]) -> None:
        """Deletes an MCP server and its stored secret."""
        self._do("DELETE", "/mcp/servers/{id}", id, options=options)

    def test_connection(self, id: str, **options: Unpack[RequestOptions]) -> ConnectionTest:
        """Tests the connection. A failed test is a result, not an error: check `ok`."""
        path = "/mcp/servers/{id}/test-connection"
        return self._call(ConnectionTest, "POST", path, id, options=options)

    def bind_projects(
        self,
        id: str,
        *,
        project_ids: Sequence[str],
        **options: Unpack[RequestOptions],
    ) -> McpServer:
        """Limits an MCP server to these Projects. An empty list makes it available in all."""
        path = "/mcp/servers/{id}/projects"
        body = {"projectIds": project_ids}
        return self._call(McpServer, "PUT", path, id, body=body, options=options)
