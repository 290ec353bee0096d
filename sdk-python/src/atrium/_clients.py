"""The clients and their namespaces."""

from __future__ import annotations

import warnings
from functools import cached_property

from . import _async as a
from . import _sync as s
from ._options import V1, V2
from ._transport import AsyncClient, SyncClient

_warned_of_spaces = False


def _warn_of_spaces() -> None:
    global _warned_of_spaces
    if _warned_of_spaces:
        return
    _warned_of_spaces = True
    warnings.warn(
        "client.spaces is deprecated; use client.projects. See docs/migration-0.3.md.",
        DeprecationWarning,
        stacklevel=3,
    )


class Atrium(SyncClient):
    """A client for the v2 API. It takes a v2 key (`atr_…`)."""

    _surface = V2

    @cached_property
    def projects(self) -> s.Projects:
        return s.Projects(self)

    @property
    def spaces(self) -> s.Projects:
        """Deprecated: use `projects`."""
        _warn_of_spaces()
        return self.projects

    @cached_property
    def sessions(self) -> s.Sessions:
        return s.Sessions(self)

    @cached_property
    def messages(self) -> s.Messages:
        return s.Messages(self)

    @cached_property
    def memory(self) -> s.Memory:
        return s.Memory(self)

    @cached_property
    def models(self) -> s.Models:
        return s.Models(self)

    @cached_property
    def agents(self) -> s.Agents:
        return s.Agents(self)

    @cached_property
    def notifications(self) -> s.Notifications:
        return s.Notifications(self)

    @cached_property
    def reminders(self) -> s.Reminders:
        return s.Reminders(self)

    @cached_property
    def tasks(self) -> s.Tasks:
        return s.Tasks(self)

    @cached_property
    def files(self) -> s.Files:
        return s.Files(self)

    @cached_property
    def documents(self) -> s.Documents:
        return s.Documents(self)

    @cached_property
    def channels(self) -> s.Channels:
        return s.Channels(self)

    @cached_property
    def org(self) -> s.Org:
        return s.Org(self)

    @cached_property
    def keys(self) -> s.Keys:
        return s.Keys(self)

    @cached_property
    def billing(self) -> s.Billing:
        return s.Billing(self)

    @cached_property
    def mcp(self) -> s.Mcp:
        return s.Mcp(self)

    @cached_property
    def identity(self) -> s.Identity:
        return s.Identity(self)


class AsyncAtrium(AsyncClient):
    """An asyncio client for the v2 API. It takes a v2 key (`atr_…`)."""

    _surface = V2

    @cached_property
    def projects(self) -> a.AsyncProjects:
        return a.AsyncProjects(self)

    @property
    def spaces(self) -> a.AsyncProjects:
        """Deprecated: use `projects`."""
        _warn_of_spaces()
        return self.projects

    @cached_property
    def sessions(self) -> a.AsyncSessions:
        return a.AsyncSessions(self)

    @cached_property
    def messages(self) -> a.AsyncMessages:
        return a.AsyncMessages(self)

    @cached_property
    def memory(self) -> a.AsyncMemory:
        return a.AsyncMemory(self)

    @cached_property
    def models(self) -> a.AsyncModels:
        return a.AsyncModels(self)

    @cached_property
    def agents(self) -> a.AsyncAgents:
        return a.AsyncAgents(self)

    @cached_property
    def notifications(self) -> a.AsyncNotifications:
        return a.AsyncNotifications(self)

    @cached_property
    def reminders(self) -> a.AsyncReminders:
        return a.AsyncReminders(self)

    @cached_property
    def tasks(self) -> a.AsyncTasks:
        return a.AsyncTasks(self)

    @cached_property
    def files(self) -> a.AsyncFiles:
        return a.AsyncFiles(self)

    @cached_property
    def documents(self) -> a.AsyncDocuments:
        return a.AsyncDocuments(self)

    @cached_property
    def channels(self) -> a.AsyncChannels:
        return a.AsyncChannels(self)

    @cached_property
    def org(self) -> a.AsyncOrg:
        return a.AsyncOrg(self)

    @cached_property
    def keys(self) -> a.AsyncKeys:
        return a.AsyncKeys(self)

    @cached_property
    def billing(self) -> a.AsyncBilling:
        return a.AsyncBilling(self)

    @cached_property
    def mcp(self) -> a.AsyncMcp:
        return a.AsyncMcp(self)

    @cached_property
    def identity(self) -> a.AsyncIdentity:
        return a.AsyncIdentity(self)


class AtriumMemory(SyncClient):
    """A client for the v1 Memory API. It takes an organisation's key (`sk_live_…`)."""

    _surface = V1

    @cached_property
    def memories(self) -> s.Memories:
        return s.Memories(self)


class AsyncAtriumMemory(AsyncClient):
    """An asyncio client for the v1 Memory API. It takes an organisation's key (`sk_live_…`)."""

    _surface = V1

    @cached_property
    def memories(self) -> a.AsyncMemories:
        return a.AsyncMemories(self)
