# Generated from ../_sync/channels.py by scripts/generate.ts. Change that file, not this one.
from __future__ import annotations

from .._models import NOT_GIVEN, NotGiven
from .._namespace import AsyncNamespace
from .._options import RequestOptions
from .._pages import AsyncPager
from .._typing import Unpack
from ..types import (
    ChannelAnswers,
    ChannelConnection,
    ChannelConnectionList,
    ChannelConnectionTest,
    ChannelDirection,
    ChannelMapping,
    ChannelMappingList,
    ChannelStatus,
    ChatChannel,
    ChatChannelList,
    ChatProvider,
)

CONNECTIONS = "/channel-connections"
CONNECTION = "/channel-connections/{id}"
CHANNELS = "/projects/{projectId}/channels"
CHANNEL = "/projects/{projectId}/channels/{id}"


class AsyncChannels(AsyncNamespace):
    """Channels of Slack and Mattermost that are also sessions of a Project."""

    def list_connections(self, **options: Unpack[RequestOptions]) -> AsyncPager[ChannelConnection]:
        """Lists the organisation's chat connections."""
        return self._list(ChannelConnectionList, CONNECTIONS, options=options)

    async def connect(
        self,
        *,
        provider: ChatProvider,
        display_name: str | None = None,
        server_url: str | None = None,
        bot_token: str,
        app_token: str | None = None,
        signing_secret: str | None = None,
        trusts_emails: bool | None = None,
        **options: Unpack[RequestOptions],
    ) -> ChannelConnection:
        """Connects a chat system. The token is checked first."""
        body = {
            "provider": provider,
            "displayName": display_name,
            "serverUrl": server_url,
            "botToken": bot_token,
            "appToken": app_token,
            "signingSecret": signing_secret,
            "trustsEmails": trusts_emails,
        }
        return await self._call(ChannelConnection, "POST", CONNECTIONS, body=body, options=options)

    async def update_connection(
        self,
        id: str,
        *,
        display_name: str | NotGiven | None = NOT_GIVEN,
        bot_token: str | NotGiven | None = NOT_GIVEN,
        app_token: str | NotGiven | None = NOT_GIVEN,
        signing_secret: str | NotGiven | None = NOT_GIVEN,
        trusts_emails: bool | NotGiven | None = NOT_GIVEN,
        **options: Unpack[RequestOptions],
    ) -> ChannelConnection:
        """Updates the given fields. A new token heals a BROKEN connection."""
        body = {
            "displayName": display_name,
            "botToken": bot_token,
            "appToken": app_token,
            "signingSecret": signing_secret,
            "trustsEmails": trusts_emails,
        }
        return await self._call(ChannelConnection, "PATCH", CONNECTION, id, body=body, options=options)

    async def disconnect(self, id: str, **options: Unpack[RequestOptions]) -> None:
        """Removes a chat connection with its secrets and mappings. Messages stay."""
        await self._do("DELETE", CONNECTION, id, options=options)

    async def test_connection(self, id: str, **options: Unpack[RequestOptions]) -> ChannelConnectionTest:
        """Tests the connection. A failed test is a result, not an error: check `ok`."""
        path = "/channel-connections/{id}/test"
        return await self._call(ChannelConnectionTest, "POST", path, id, options=options)

    def search(
        self, id: str, *, query: str | None = None, **options: Unpack[RequestOptions]
    ) -> AsyncPager[ChatChannel]:
        """Searches the channels of a chat system by name."""
        path = "/channel-connections/{id}/channels"
        return self._list(ChatChannelList, path, id, query={"query": query}, options=options)

    def list(self, project_id: str, **options: Unpack[RequestOptions]) -> AsyncPager[ChannelMapping]:
        """Lists the channels that are mapped to sessions of a Project."""
        return self._list(ChannelMappingList, CHANNELS, project_id, options=options)

    async def create(
        self,
        project_id: str,
        *,
        connection_id: str,
        channel_id: str,
        session_id: str | None = None,
        direction: ChannelDirection | None = None,
        answers: ChannelAnswers | None = None,
        shares_org_memory: bool | None = None,
        **options: Unpack[RequestOptions],
    ) -> ChannelMapping:
        """Maps a channel to a session, or to a new one with its name."""
        body = {
            "connectionId": connection_id,
            "channelId": channel_id,
            "sessionId": session_id,
            "direction": direction,
            "answers": answers,
            "sharesOrgMemory": shares_org_memory,
        }
        return await self._call(ChannelMapping, "POST", CHANNELS, project_id, body=body, options=options)

    async def update(
        self,
        project_id: str,
        id: str,
        *,
        direction: ChannelDirection | NotGiven | None = NOT_GIVEN,
        answers: ChannelAnswers | NotGiven | None = NOT_GIVEN,
        shares_org_memory: bool | NotGiven | None = NOT_GIVEN,
        status: ChannelStatus | NotGiven | None = NOT_GIVEN,
        **options: Unpack[RequestOptions],
    ) -> ChannelMapping:
        """Updates the given fields of a mapping."""
        body = {
            "direction": direction,
            "answers": answers,
            "sharesOrgMemory": shares_org_memory,
            "status": status,
        }
        return await self._call(
            ChannelMapping, "PATCH", CHANNEL, project_id, id, body=body, options=options
        )

    async def delete(self, project_id: str, id: str, **options: Unpack[RequestOptions]) -> None:
        """Unmaps a channel. Messages stay, on both sides."""
        await self._do("DELETE", CHANNEL, project_id, id, options=options)
