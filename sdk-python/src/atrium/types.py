# Generated from openapi/*.json by scripts/generate.ts. Change the API, not this file.
"""Models of the API's responses. Times are timezone-aware datetimes."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from . import _models as m

AgentTool: TypeAlias = Literal[
    "search_memory",
    "search_messages",
    "search_documents",
    "read_document",
    "remember",
    "list_tasks",
    "create_task",
    "update_task",
]
AuthorKind: TypeAlias = Literal[
    "USER",
    "AGENT",
]
BroadcastRule: TypeAlias = Literal[
    "EVERYONE",
    "ADMINS",
    "NOBODY",
]
BillingInterval: TypeAlias = Literal[
    "monthly",
    "annual",
]
ChannelAnswers: TypeAlias = Literal[
    "MEMBERS",
    "EVERYONE",
    "NONE",
]
ChannelDirection: TypeAlias = Literal[
    "BOTH",
    "IN",
    "OUT",
]
ChannelStatus: TypeAlias = Literal[
    "ACTIVE",
    "PAUSED",
]
ChatProvider: TypeAlias = Literal[
    "SLACK",
    "MATTERMOST",
]
EmbeddingStatus: TypeAlias = Literal[
    "READY",
    "PENDING",
]
InvitationRole: TypeAlias = Literal[
    "ADMIN",
    "MEMBER",
]
InvitationStatus: TypeAlias = Literal[
    "PENDING",
    "ACCEPTED",
    "REVOKED",
    "EXPIRED",
]
LedgerKind: TypeAlias = Literal[
    "GRANT",
    "TOPUP",
    "USAGE",
    "LAPSE",
    "REFUND",
]
McpAuthType: TypeAlias = Literal[
    "NONE",
    "BEARER",
    "API_KEY",
]
ModelProviderKind: TypeAlias = Literal[
    "openai",
    "anthropic",
    "openai-compatible",
    "ollama",
]
MessageStatus: TypeAlias = Literal[
    "COMPLETED",
    "FAILED",
    "STOPPED",
]
ModelProvider: TypeAlias = Literal[
    "builtin",
    "openai",
    "anthropic",
    "openai-compatible",
]
NotificationKind: TypeAlias = Literal[
    "MENTION",
    "BROADCAST",
    "THREAD_REPLY",
    "AGENT_REPLY",
    "TASK_ASSIGNED",
    "TASK_FINISHED",
    "INVITATION_ACCEPTED",
    "CHANNEL_BROKEN",
    "REMINDER",
    "SCHEDULED_FAILED",
    "DIRECT_MESSAGE",
]
NotificationLevel: TypeAlias = Literal[
    "ALL",
    "MENTIONS",
    "NONE",
]
OrgKeyScope: TypeAlias = Literal[
    "memory:read",
    "memory:write",
]
PaidPlan: TypeAlias = Literal[
    "pro",
    "team",
    "enterprise",
]
Plan: TypeAlias = Literal[
    "free",
    "pro",
    "team",
    "enterprise",
]
Presence: TypeAlias = Literal[
    "ACTIVE",
    "AWAY",
    "OFFLINE",
]
ProjectAccess: TypeAlias = Literal[
    "ORG",
    "MEMBERS",
]
Role: TypeAlias = Literal[
    "OWNER",
    "ADMIN",
    "MEMBER",
]
Scope: TypeAlias = Literal[
    "projects:read",
    "projects:write",
    "sessions:read",
    "sessions:write",
    "messages:read",
    "messages:write",
    "memory:read",
    "memory:write",
    "org:read",
    "org:write",
    "keys:read",
    "keys:write",
    "billing:read",
    "billing:write",
    "mcp:read",
    "mcp:write",
    "agents:read",
    "agents:write",
    "notifications:read",
    "notifications:write",
    "tasks:read",
    "tasks:write",
    "channels:read",
    "channels:write",
    "files:read",
    "files:write",
    "documents:read",
    "documents:write",
]
SessionAccess: TypeAlias = Literal[
    "PROJECT",
    "PARTICIPANTS",
]
SessionKind: TypeAlias = Literal[
    "PROJECT",
    "DIRECT",
]
SessionStatus: TypeAlias = Literal[
    "ACTIVE",
    "ARCHIVED",
]
TaskPriority: TypeAlias = Literal[
    "NONE",
    "LOW",
    "MEDIUM",
    "HIGH",
    "URGENT",
]
TaskStatus: TypeAlias = Literal[
    "PROPOSED",
    "TODO",
    "IN_PROGRESS",
    "IN_REVIEW",
    "DONE",
    "CANCELLED",
]
TopupPack: TypeAlias = Literal[
    "small",
    "medium",
    "large",
]
MessageContent: TypeAlias = Literal[
    "link",
    "code",
    "reaction",
    "reply",
    "file",
]
Visibility: TypeAlias = Literal[
    "PRIVATE",
    "PROJECT",
    "ORG",
]
"""Who can see it. PRIVATE: its owner only. PROJECT: the Project's members. ORG: everyone in the organisation."""


class PersonStatus(m.ResponsePart):
    """What the person is doing, until then."""

    emoji: str | None = None
    text: str
    until: datetime | None = None


class AcceptedInvitationOrg(m.ResponsePart):
    id: str
    name: str


class AcceptedInvitation(m.Result):
    user_id: str
    email: str
    name: str
    handle: str | None = None
    """The name by which the person is mentioned, unique among the names of the organisation. Null for up to ten minutes after an older version of the server added them."""
    role: Annotated[Role, m.OPEN]
    title: str | None = None
    """What the person does, in their own words. It belongs to the organisation."""
    photo: str | None = None
    """The path of the person's photo on this server. It changes with the photo. People of the same organisation may load it."""
    status: PersonStatus | None = None
    time_zone: str | None = None
    """The IANA name of the time zone that the person is in."""
    joined_at: datetime
    presence: Annotated[Presence, m.OPEN] = "OFFLINE"
    """ACTIVE: has used the web app in the last minutes. AWAY: has it open. OFFLINE: neither, or you share no Project with the person."""
    org: AcceptedInvitationOrg


class Agent(m.Result):
    id: str
    slug: str
    """The name to mention it by, after the `@`."""
    name: str
    description: str | None = None
    instructions: str
    model: str | None = None
    """The slug of its model. Null: the server's default."""
    tools: list[str]
    """The built-in tools that it may use."""
    mcp_server_ids: list[str]
    """MCP servers whose tools it may use, in the Projects that they serve."""
    project_ids: list[str]
    """The Projects it answers in. Empty: every Project."""
    is_enabled: bool
    created_by_id: str
    created_at: datetime
    updated_at: datetime
    archived_at: datetime | None = None


class AgentList(m.ItemsResult[Agent]):
    total: int


class Session(m.Result):
    id: str
    project_id: str
    name: str
    title: str | None = None
    description: str | None = None
    default_agent: str | None = None
    model: str | None = None
    kind: Annotated[SessionKind, m.OPEN] = "PROJECT"
    """DIRECT: the conversation of a few people, outside Projects. In paths, it is under the slug `direct`."""
    access: Annotated[SessionAccess, m.OPEN] = "PROJECT"
    """PROJECT: every member of the Project can read and write. PARTICIPANTS: only the participants can, and for everyone else, OWNERs and ADMINs included, the session does not exist."""
    participant_user_ids: list[str]
    """People who post become participants. Anyone who leaves the Project is removed. Those of a direct conversation never change."""
    answers_without_mention: bool = False
    """Whether a message that mentions nobody is answered like one that mentions `@model`, as long as its author is the only participant."""
    task_id: str | None = None
    """The task that is discussed here. Such sessions are not in the list of sessions."""
    status: Annotated[SessionStatus, m.OPEN]
    last_message_at: datetime | None = None
    unread_count: int
    """The number of messages by others that the caller has not read, if they follow the session: those after the read mark, and replies in threads that they take part in and have not opened since. 100 means 100 or more."""
    is_for_everyone: bool = False
    """Whether every member of the Project follows it unless they left. True for the first session of a Project. Never true for a private session."""
    is_followed: bool = True
    """Whether the caller follows it: they made it, take part, wrote in it, were mentioned or chose to, or it is for everyone; and they have not left it since."""
    level: Annotated[NotificationLevel, m.OPEN] = "ALL"
    """What the caller is told about. ALL: mentions, replies to them and replies in their threads. MENTIONS: mentions and replies to them. NONE: mentions only, in the inbox and nowhere else."""
    muted: bool = False
    """Whether `level` is NONE. Use `level` instead."""
    created_by_id: str
    created_at: datetime
    updated_at: datetime
    archived_at: datetime | None = None


class AllSessionsPage(m.ItemsResult[Session]):
    total: int
    """The number of items on all pages."""
    page: int
    limit: int
    unread_total: int
    """The number of unread messages in all these sessions, on any page, read ones included. Each session counts for 100 at most."""


class AuditEntry(m.ResponsePart):
    id: str
    action: str
    """What happened, such as `project.created` or `member.removed`."""
    resource_type: str
    resource_id: str | None = None
    """Null for a session, or a message in one, that you may not read."""
    resource_name: str | None = None
    """The name that it has now. Null if it has none, no longer exists, or the caller cannot see it."""
    actor_kind: str
    """`user`, `org-key` or `system`."""
    actor_user_id: str | None = None
    """The person, or the one who asked the agent."""
    actor_agent: str | None = None
    """The slug of the agent that did it. `mcp`: an MCP client. Null if a person did."""
    key_id: str | None = None
    """The key that was used."""
    request_id: str
    details: dict[str, Any]
    created_at: datetime


class AuditPage(m.ItemsResult[AuditEntry]):
    total: int
    """The number of items on all pages."""
    page: int
    limit: int


class ChannelConnection(m.Result):
    id: str
    provider: Annotated[ChatProvider, m.OPEN]
    display_name: str
    server_url: str | None = None
    """Null for Slack."""
    workspace_name: str
    bot_name: str
    mode: Annotated[Literal["SOCKET", "WEBHOOK"], m.OPEN]
    """SOCKET: the server opens the connection for events. WEBHOOK: Slack sends them to `/api/webhooks/slack/{id}`."""
    trusts_emails: bool
    """Whether to trust addresses that the chat system has not verified. If so, anyone in the connected workspace with the address of a member counts as that member. People of other workspaces never do."""
    status: Annotated[Literal["CONNECTING", "CONNECTED", "BROKEN"], m.OPEN]
    last_error: str | None = None
    last_event_at: datetime | None = None
    created_at: datetime


class ChannelConnectionList(m.ItemsResult[ChannelConnection]):
    total: int


class ChannelConnectionTestError(m.ResponsePart):
    code: str
    message: str


class ChannelConnectionTest(m.Result):
    ok: bool
    workspace_name: str | None = None
    bot_name: str | None = None
    latency_ms: int | None = None
    error: ChannelConnectionTestError | None = None


class ChannelMappingGap(m.ResponsePart):
    from_: datetime
    to: datetime | None = None


class ChannelMapping(m.Result):
    id: str
    project_id: str
    connection_id: str
    provider: Annotated[ChatProvider, m.OPEN]
    channel_id: str
    channel_name: str
    session_id: str
    direction: Annotated[ChannelDirection, m.OPEN]
    """Which way messages go: IN is from the channel to the session only."""
    answers: Annotated[ChannelAnswers, m.OPEN]
    """Whose mentions in the channel agents answer, up to 20 replies a minute for one person and 60 for the channel. Other bots are never answered, and mentions in Atrium always are. Only an OWNER or ADMIN can set EVERYONE."""
    shares_org_memory: bool
    """Whether agents may use ORG memory in this session. People in the channel read the answers."""
    status: Annotated[Literal["ACTIVE", "PAUSED", "BROKEN"], m.OPEN]
    last_error: str | None = None
    gaps: list[ChannelMappingGap]
    """When it was paused. What was written then is on one side only. `to` is null while it is paused. At most the last 100."""
    created_by_id: str
    created_at: datetime


class ChannelMappingList(m.ItemsResult[ChannelMapping]):
    total: int


class ChatChannel(m.ResponsePart):
    id: str
    name: str
    is_private: bool
    is_member: bool
    """Whether the bot is in it, and so can be mapped."""


class ChatChannelList(m.ItemsResult[ChatChannel]):
    total: int


class ConnectionTestServerInfo(m.ResponsePart):
    name: str
    version: str


class ConnectionTestError(m.ResponsePart):
    code: str
    message: str


class ConnectionTest(m.Result):
    ok: bool
    protocol_version: str | None = None
    server_info: ConnectionTestServerInfo | None = None
    capabilities: dict[str, Any] | None = None
    latency_ms: int | None = None
    error: ConnectionTestError | None = None


class CreatedKey(m.Result):
    id: str
    name: str
    prefix: str
    """The first characters of the secret, to tell keys apart."""
    scopes: list[str]
    created_at: datetime
    last_used_at: datetime | None = None
    """Updated at most once a minute."""
    expires_at: datetime | None = None
    """Set when the key is rotated."""
    revoked_at: datetime | None = None
    secret: str = Field(repr=False)
    """The key itself. Shown only once."""


class CreatedOrg(m.Result):
    """The new organisation."""

    id: str
    name: str
    role: Annotated[Role, m.OPEN]
    created_at: datetime


class CreatedOrgKey(m.Result):
    id: str
    name: str
    prefix: str
    """The first characters of the secret, to tell keys apart."""
    scopes: list[str]
    created_at: datetime
    last_used_at: datetime | None = None
    """Updated at most once a minute."""
    expires_at: datetime | None = None
    """Set when the key is rotated."""
    revoked_at: datetime | None = None
    key: str = Field(repr=False)
    """The key itself, starting with `sk_live_`. Shown only once."""


class Credits(m.Result):
    balance: int
    """The sum of the ledger. A refund can take it below zero."""
    reserved: int
    """Held for replies in progress."""
    included: int
    """What is left of the plan's credits. They are spent first."""
    topup: int
    """Bought credits. They never expire."""
    plan: Annotated[Plan, m.OPEN]
    renews_at: datetime | None = None
    """When the included credits renew. Null if none are due."""


class Document(m.Result):
    id: str
    project_id: str
    title: str
    """The name of its file."""
    url: str | None = None
    file_id: str | None = None
    source_id: str | None = None
    media_type: str
    language: str
    """In which its words are indexed: `en`, `de`, `es` or `fr`."""
    passages: int
    """How many there are until now."""
    updated_at: datetime


class Passage(m.ResponsePart):
    text: str
    page: int
    heading: str | None = None
    """The last one above it."""
    start: int
    """Where it begins in the text of its page, in code points."""
    end: int
    """Where it ends there."""


class DocumentMatchHighlight(m.ResponsePart):
    start: int
    end: int


class DocumentMatch(m.ResponsePart):
    document: Document
    passage: Passage
    score: float
    """Comparable across searches, and with the scores of memories."""
    highlights: list[DocumentMatchHighlight]
    """The words of the query in the text of the passage, in code points."""


class DocumentMatches(m.ItemsResult[DocumentMatch]):
    total: int
    degraded: bool
    """True if the embedding model was unavailable and only words were compared."""


class FieldError(m.ResponsePart):
    location: str
    """The field, for example `body.tags[0]` or `query.limit`."""
    code: str
    """The problem, for programs."""
    message: str
    """The problem, for people."""


class FileImage(m.ResponsePart):
    width: int
    height: int


class File(m.Result):
    id: str
    project_id: str
    name: str
    media_type: str
    """Found from the bytes."""
    size: int
    """In bytes, as stored: without metadata of pictures."""
    sha_256: str | None = None
    """Of the stored bytes, in hex."""
    status: Annotated[Literal["UPLOADING", "CHECKING", "READY", "FAILED", "REFUSED"], m.OPEN]
    """READY files can be read. CHECKING: the bytes are there, and are being checked. FAILED and REFUSED have a `reason`."""
    reason: str | None = None
    text: Annotated[Literal["NONE", "PENDING", "READY", "EMPTY", "FAILED"], m.OPEN]
    """PENDING: the text is still being read. EMPTY and FAILED have a `textReason`. NONE: there is none to read."""
    text_reason: str | None = None
    pages: int | None = None
    image: FileImage | None = None
    """The size of a picture in pixels, as it is shown."""
    is_shared: bool
    """Whether every member of the Project may read it."""
    uploaded_by_id: str | None = None
    uploaded_by_agent: str | None = None
    created_at: datetime


class PageMatches(m.ResponsePart):
    page: int
    count: int


class MatchBox(m.ResponsePart):
    match: int
    """Which match on the page, from 0. One on two lines has two boxes."""
    x: float
    y: float
    width: float
    height: float


class FileMatches(m.Result):
    total: int
    """How often the words are in the file."""
    pages: list[PageMatches]
    """The pages that have them, in order."""
    page: int
    boxes: list[MatchBox]
    """Where they are on `page` of a PDF, in shares of its width and height, from the top left. Empty for other files and for scans."""


class FilePage(m.ItemsResult[File]):
    total: int
    """The number of items on all pages."""
    page: int
    limit: int


class FileText(m.Result):
    text: str
    page: int
    pages: int


class FileUploadImage(m.ResponsePart):
    width: int
    height: int


class FileUpload(m.Result):
    id: str
    project_id: str
    name: str
    media_type: str
    """Found from the bytes."""
    size: int
    """In bytes, as stored: without metadata of pictures."""
    sha_256: str | None = None
    """Of the stored bytes, in hex."""
    status: Annotated[Literal["UPLOADING", "CHECKING", "READY", "FAILED", "REFUSED"], m.OPEN]
    """READY files can be read. CHECKING: the bytes are there, and are being checked. FAILED and REFUSED have a `reason`."""
    reason: str | None = None
    text: Annotated[Literal["NONE", "PENDING", "READY", "EMPTY", "FAILED"], m.OPEN]
    """PENDING: the text is still being read. EMPTY and FAILED have a `textReason`. NONE: there is none to read."""
    text_reason: str | None = None
    pages: int | None = None
    image: FileUploadImage | None = None
    """The size of a picture in pixels, as it is shown."""
    is_shared: bool
    """Whether every member of the Project may read it."""
    uploaded_by_id: str | None = None
    uploaded_by_agent: str | None = None
    created_at: datetime
    upload_url: str
    """Where the bytes go: with one PUT, or piece by piece as tus 1.0. It works for whoever made it, for 24 hours."""


class FileUsage(m.Result):
    bytes: int
    """What all files take, and uploads will."""
    files: int
    max_bytes: int
    """What they may take."""


class HostedPage(m.Result):
    url: str
    """Send the person to this page."""
    id: str
    """The payment provider's id of the page."""


class Invitation(m.Result):
    """The token is only in the email."""

    id: str
    email: str
    role: Annotated[InvitationRole, m.OPEN]
    status: Annotated[InvitationStatus, m.OPEN]
    invited_by_id: str
    expires_at: datetime
    created_at: datetime


class InvitationLink(m.Result):
    url: str


class InvitationList(m.ItemsResult[Invitation]):
    total: int


class Key(m.Result):
    """A v2 key of one person in one organisation."""

    id: str
    name: str
    prefix: str
    """The first characters of the secret, to tell keys apart."""
    scopes: list[str]
    created_at: datetime
    last_used_at: datetime | None = None
    """Updated at most once a minute."""
    expires_at: datetime | None = None
    """Set when the key is rotated."""
    revoked_at: datetime | None = None


class KeyList(m.ItemsResult[Key]):
    total: int


class LedgerEntry(m.ResponsePart):
    id: str
    kind: Annotated[LedgerKind, m.OPEN]
    credits: int
    """Negative if credits were spent, expired or were taken back."""
    source: str
    """Where the entry comes from. Each source counts once."""
    message_id: str | None = None
    """The reply that was charged. Null, and `source` is only `message`, if you may not read it."""
    created_at: datetime


class LedgerPage(m.ItemsResult[LedgerEntry]):
    total: int
    """The number of items on all pages."""
    page: int
    limit: int


class McpServer(m.Result):
    id: str
    display_name: str
    mention_slug: str
    """The name to mention it by, after the `@`."""
    endpoint_url: str
    auth_type: Annotated[McpAuthType, m.OPEN]
    has_secret: bool
    project_ids: list[str]
    """The Projects it is bound to. Empty if it serves all of them."""
    last_tested_at: datetime | None = None
    last_error: str | None = None
    created_at: datetime


class McpServerList(m.ItemsResult[McpServer]):
    total: int


class MeOrg(m.ResponsePart):
    id: str
    name: str


class Me(m.Result):
    user_id: str
    email: str
    name: str
    handle: str | None = None
    """The name by which the person is mentioned, unique among the names of the organisation. Null for up to ten minutes after an older version of the server added them."""
    email_notifications: Annotated[NotificationLevel, m.OPEN] = "MENTIONS"
    """Which unread notifications of this organisation are emailed."""
    title: str | None = None
    """What the person does, in their own words. It belongs to the organisation."""
    photo: str | None = None
    """The path of the person's photo on this server. It changes with the photo. People of the same organisation may load it."""
    status: PersonStatus | None = None
    time_zone: str | None = None
    """The IANA name of the time zone that the person is in."""
    role: Annotated[Role, m.OPEN]
    org: MeOrg
    key_id: str
    """The key of this request."""
    scopes: list[str]
    """What the key may be used for."""


class Member(m.Result):
    user_id: str
    email: str
    name: str
    handle: str | None = None
    """The name by which the person is mentioned, unique among the names of the organisation. Null for up to ten minutes after an older version of the server added them."""
    role: Annotated[Role, m.OPEN]
    title: str | None = None
    """What the person does, in their own words. It belongs to the organisation."""
    photo: str | None = None
    """The path of the person's photo on this server. It changes with the photo. People of the same organisation may load it."""
    status: PersonStatus | None = None
    time_zone: str | None = None
    """The IANA name of the time zone that the person is in."""
    joined_at: datetime
    presence: Annotated[Presence, m.OPEN] = "OFFLINE"
    """ACTIVE: has used the web app in the last minutes. AWAY: has it open. OFFLINE: neither, or you share no Project with the person."""


class MemberList(m.ItemsResult[Member]):
    total: int


class Memory(m.Result):
    id: str
    content: str
    visibility: Annotated[Visibility, m.OPEN]
    project_id: str | None = None
    """For PROJECT, the Project whose members can see it; otherwise a label."""
    owner_user_id: str | None = None
    """Null if a v1 key created it."""
    tags: list[str]
    source_url: str | None = None
    embedding_status: Annotated[EmbeddingStatus, m.OPEN]
    """PENDING until the memory is embedded. Until then it is found by its words only."""
    created_at: datetime
    updated_at: datetime


class MemoryBatch(m.ItemsResult[Memory]):
    total: int


class MemoryMatchScores(m.ResponsePart):
    vector: float | None = None
    lexical: float
    """The share of the query's words it contains, weighted by rarity."""
    rerank: float | None = None


class MemoryMatch(m.ResponsePart):
    id: str
    content: str
    visibility: Annotated[Visibility, m.OPEN]
    project_id: str | None = None
    """For PROJECT, the Project whose members can see it; otherwise a label."""
    owner_user_id: str | None = None
    """Null if a v1 key created it."""
    tags: list[str]
    source_url: str | None = None
    embedding_status: Annotated[EmbeddingStatus, m.OPEN]
    """PENDING until the memory is embedded. Until then it is found by its words only."""
    created_at: datetime
    updated_at: datetime
    score: float
    """The final score. Matches are sorted by it, and scores are comparable across searches."""
    scores: MemoryMatchScores


class MemoryMatches(m.ItemsResult[MemoryMatch]):
    total: int
    degraded: bool
    """True if the embedding model was unavailable and only words were compared."""


class MemoryPage(m.ItemsResult[Memory]):
    next_before: str | None = None
    """Pass it as `before` to get the next page."""
    has_more: bool


class ExternalAuthor(m.ResponsePart):
    provider: Annotated[ChatProvider, m.OPEN]
    id: str
    """The id of the person in the chat system."""
    name: str


class MessageError(m.ResponsePart):
    code: str
    message: str


class MessageCitation(m.ResponsePart):
    memory_id: str | None = None
    message_id: str | None = None
    document_id: str | None = None
    page: int | None = None


class ToolCall(m.ResponsePart):
    server: str
    """The MCP server's mentionSlug, or the agent's own slug for a built-in tool."""
    name: str
    arguments: Any
    """As the model sent them. Long arguments are truncated and returned as text."""
    result: str
    """What the tool returned, truncated if it is long."""
    is_error: bool
    latency_ms: int


class PendingReply(m.ResponsePart):
    mention: str
    """The slug, as in `mentions`."""
    started_at: datetime
    """When the reply was asked for: with the message, or with the latest retry."""


class MessageTask(m.ResponsePart):
    id: str
    number: int


class LinkPreview(m.ResponsePart):
    """What a page says about itself. It is plain text that anyone may have written."""

    url: str
    """The link, as it is in the body."""
    site: str
    """What the page calls its site, or the host of the link. Up to 80 characters."""
    title: str
    """Up to 200 characters."""
    description: str | None = None
    """Up to 300 characters."""


class AttachmentImage(m.ResponsePart):
    width: int
    height: int


class Attachment(m.ResponsePart):
    file_id: str
    name: str
    media_type: str
    """Found from the bytes."""
    size: int
    status: Annotated[Literal["UPLOADING", "CHECKING", "READY", "FAILED", "REFUSED"], m.OPEN]
    """READY files can be read. CHECKING: the bytes are there, and are being checked. FAILED and REFUSED have a `reason`."""
    image: AttachmentImage | None = None
    """The size of a picture in pixels, as it is shown."""
    pages: int | None = None


class MessageReaction(m.ResponsePart):
    emoji: str
    count: int
    """Of members, and of people in a mapped channel."""
    user_ids: list[str]


class Branch(m.ResponsePart):
    message_id: str
    """The question that the branch begins with."""
    active: bool
    """Whether it is the one that is shown."""


class MessageUsage(m.ResponsePart):
    input_tokens: int
    output_tokens: int
    credits: int
    latency_ms: int


class Message(m.Result):
    id: str
    session_id: str
    parent_message_id: str | None = None
    author_kind: Annotated[AuthorKind, m.OPEN]
    author_user_id: str | None = None
    external_author: ExternalAuthor | None = None
    """Who wrote it in the chat system, for every message that came from a chat channel. `authorUserId` is the member they are taken for, or null: then they have no rights here. Null for messages that members posted from a channel before this was recorded."""
    agent_slug: str | None = None
    in_reply_to_message_id: str | None = None
    body: str
    """Empty after the message was deleted."""
    mentions: list[str]
    """The slugs that the body mentions."""
    status: Annotated[MessageStatus, m.OPEN]
    """For AGENT messages: FAILED ones have an `error`, STOPPED ones end where somebody stopped them."""
    error: MessageError | None = None
    citations: list[MessageCitation]
    """What an AGENT message refers to: a memory by `memoryId`, a message of another session by `messageId`, or a `page` of a document by `documentId`. Each entry is one of them."""
    tool_calls: list[ToolCall]
    """The calls to tools that an AGENT message is based on."""
    pending_replies: list[PendingReply]
    """The mentions that are still being answered. Each entry is written with the message and removed in the commit that adds its reply. A retry adds it again."""
    mentioned_user_ids: list[str] = Field(default_factory=list)
    """The readers of the session whom the body mentions by their handles, or by a name that only one of them has, at most 50."""
    broadcast: Annotated[Literal["HERE", "EVERYONE"], m.OPEN] | None = None
    """HERE or EVERYONE if the author wrote @here or @everyone and was allowed to: the followers of the session are told, at most 200. Null otherwise, also if the body has one of these words."""
    tasks: list[MessageTask] = Field(default_factory=list)
    """The tasks that were made from this message."""
    previews: list[LinkPreview] = Field(default_factory=list)
    """Of the first three links of a person's message to public https pages, those that the server could read. They arrive after the message, and are kept for 30 days. Tools of the MCP endpoint never return any."""
    attachments: list[Attachment]
    """Its files, in the order of the post. Whoever can read the message can read them."""
    reactions: list[MessageReaction]
    reply_count: int
    branches: list[Branch] = Field(default_factory=list)
    """The versions of a question that was asked again, oldest first. Empty for every other message."""
    pinned_at: datetime | None = None
    """Null if it is not pinned."""
    pinned_by_id: str | None = None
    """Who pinned it in its session."""
    usage: MessageUsage | None = None
    """The tokens, credits and time that an AGENT message took; null for other messages."""
    send_at: datetime | None = None
    """Only in the response to a post with `sendAt`: it is not posted yet."""
    created_at: datetime
    edited_at: datetime | None = None
    deleted_at: datetime | None = None


class MessageList(m.ItemsResult[Message]):
    total: int
    """The number of messages in the session, or in the thread, without branches that are not shown."""
    next_before: str | None = None
    """Send it as `before` to get the next, older messages."""
    has_more: bool


class MessageMatchSession(m.ResponsePart):
    id: str
    name: str
    title: str | None = None


class MessageMatchProject(m.ResponsePart):
    id: str
    slug: str
    name: str


class MessageMatchHighlight(m.ResponsePart):
    start: int
    end: int


class MessageMatch(m.ResponsePart):
    message: Message
    session: MessageMatchSession
    project: MessageMatchProject
    score: float
    """The share of the query's words that the message has, weighted by rarity."""
    highlights: list[MessageMatchHighlight]
    """Where the words and phrases are in the body, in code points: from `start` up to and without `end`."""


class MessageMatches(m.ItemsResult[MessageMatch]):
    total: int
    degraded: bool
    """True if matches may be missing: while older messages are still being indexed after an upgrade, or if there was more text to look through, or to return, than one search may."""


class ModelCreditsPerMillionTokens(m.ResponsePart):
    input: float
    output: float


class ModelLastResultError(m.ResponsePart):
    code: str
    message: str


class ModelLastResult(m.ResponsePart):
    status: Annotated[Literal["COMPLETED", "FAILED"], m.OPEN]
    error: ModelLastResultError | None = None
    at: datetime


class Model(m.ResponsePart):
    slug: str
    """The name to mention it by, after the `@`."""
    provider: Annotated[ModelProvider, m.OPEN]
    model: str | None = None
    """The provider's name for it; null for `recall`."""
    credits_per_1k_tokens: float
    """The higher of its two prices, if input and output have different ones."""
    credits_per_million_tokens: ModelCreditsPerMillionTokens
    origin: Annotated[Literal["builtin", "server", "organisation"], m.OPEN]
    """Who offers it: Atrium itself, whoever runs the server, or an OWNER of the organisation."""
    is_default: bool
    """Whether it answers `@model` in a session without a model of its own."""
    last_result: ModelLastResult | None = None
    """How its latest reply in this organisation ended. Null if it has not answered yet, and for `recall`. Replies that failed for other reasons, such as missing credits, don't count."""


class ModelList(m.ItemsResult[Model]):
    total: int


class ModelProviderTestError(m.ResponsePart):
    code: str
    message: str


class ModelProviderTest(m.Result):
    ok: bool
    model: str | None = None
    """Which one answered."""
    answer: str | None = None
    """What it answered."""
    offered_models: int | None = None
    """How many models the provider offers, if it was asked that."""
    latency_ms: int | None = None
    error: ModelProviderTestError | None = None


class NotificationCount(m.Result):
    unread_total: int
    """How many are still unread."""


class Notification(m.ResponsePart):
    id: str
    kind: Annotated[NotificationKind, m.OPEN]
    project_id: str | None = None
    project_slug: str | None = None
    project_name: str | None = None
    session_id: str | None = None
    session_name: str | None = None
    message_id: str | None = None
    """The message that mentions or replies. For AGENT_REPLY, the reply. For REMINDER, the message that it is about."""
    task_id: str | None = None
    """The task that was assigned or finished, or that a REMINDER is about."""
    task_number: int | None = None
    actor_user_id: str | None = None
    actor_name: str | None = None
    actor_agent: str | None = None
    """The slug of the agent that replied or changed the task."""
    text: str
    """The beginning of the message in plain text, or the title of the task, as it is now, or what happened in one sentence."""
    is_quiet: bool
    """Whether it is in the inbox only, because the caller has chosen the level NONE for the session: it is not mailed, and the web app does not show it by itself."""
    created_at: datetime
    read_at: datetime | None = None


class NotificationList(m.ItemsResult[Notification]):
    unread_total: int
    """How many are unread, on all pages."""
    next_before: str | None = None
    """Send it as `before` to get the next, older notifications."""
    has_more: bool


class OfferedModelsModel(m.ResponsePart):
    model: str
    """The provider's name for it."""
    display_name: str | None = None
    vision: bool
    """Whether the provider says that it takes images."""


class OfferedModelsError(m.ResponsePart):
    code: str
    message: str


class OfferedModels(m.Result):
    models: list[OfferedModelsModel]
    error: OfferedModelsError | None = None
    """Why there is no list. Null if there is one."""


class OrgDetails(m.Result):
    """The organisation."""

    id: str
    name: str
    link_previews: bool
    """Whether the server reads public pages that its messages link to."""
    link_previews_available: bool
    """False if the operator has turned previews off for all organisations."""
    created_at: datetime


class OrgKey(m.Result):
    """A v1 key. It belongs to the organisation, not to a person."""

    id: str
    name: str
    prefix: str
    """The first characters of the secret, to tell keys apart."""
    scopes: list[str]
    created_at: datetime
    last_used_at: datetime | None = None
    """Updated at most once a minute."""
    expires_at: datetime | None = None
    """Set when the key is rotated."""
    revoked_at: datetime | None = None


class OrgKeyList(m.ItemsResult[OrgKey]):
    total: int


class OrgModelProviderModelCreditsPerMillionTokens(m.ResponsePart):
    """Credits for a million tokens. One credit is 0.01 USD."""

    input: float
    output: float


class OrgModelProviderModel(m.ResponsePart):
    slug: str
    """The name to mention it by, after the `@`."""
    model: str
    """The provider's name for it."""
    credits_per_million_tokens: OrgModelProviderModelCreditsPerMillionTokens
    """Credits for a million tokens. One credit is 0.01 USD."""
    vision: bool
    """Whether it is shown the images of a question."""
    is_overridden: bool
    """True if the operator has since given this slug to a model of the server, which answers instead."""


class OrgModelProvider(m.Result):
    id: str
    name: str
    kind: Annotated[ModelProviderKind, m.OPEN]
    base_url: str
    has_key: bool
    is_enabled: bool
    """If not, none of its models answers."""
    models: list[OrgModelProviderModel]
    last_tested_at: datetime | None = None
    last_error: str | None = None
    created_at: datetime
    updated_at: datetime


class OrgModelProviderList(m.ItemsResult[OrgModelProvider]):
    total: int


class PinPage(m.ItemsResult[Message]):
    total: int
    """The number of items on all pages."""
    page: int
    limit: int


class PlanOfferPrice(m.ResponsePart):
    interval: Annotated[BillingInterval, m.OPEN]
    amount: int
    """In the currency's smallest unit, such as cents."""
    currency: str
    """ISO 4217, in capitals."""


class PlanOffer(m.ResponsePart):
    plan: Annotated[Plan, m.OPEN]
    credits: int
    """Included every month."""
    prices: list[PlanOfferPrice]
    """Empty for the free plan, for a plan that this server does not sell, and while the payment provider is unavailable."""


class PlanOfferList(m.ItemsResult[PlanOffer]):
    total: int


class Project(m.Result):
    id: str
    slug: str
    """Identifies the Project in `/spaces/{slug}` paths. It never changes."""
    name: str
    description: str | None = None
    tags: list[str]
    access: Annotated[ProjectAccess, m.OPEN]
    """ORG: every member of the organisation belongs to the Project. MEMBERS: only its creator, OWNERs, ADMINs and the people added to it."""
    default_agent: str | None = None
    """Who answers `@model`, unless the session sets its own."""
    broadcasts: Annotated[BroadcastRule, m.OPEN] = "EVERYONE"
    """Who may tell everybody with @here and @everyone. EVERYONE: every member of the Project. ADMINS: OWNERs, ADMINs and the Project's creator."""
    created_by_id: str
    created_at: datetime
    updated_at: datetime
    archived_at: datetime | None = None


class ProjectMember(m.Result):
    user_id: str
    email: str
    name: str
    handle: str | None = None
    """The name by which the person is mentioned, unique among the names of the organisation. Null for up to ten minutes after an older version of the server added them."""
    role: Annotated[Role, m.OPEN]
    added_at: datetime | None = None
    """Null for people who belong to the Project without having been added."""


class ProjectMemberList(m.ItemsResult[ProjectMember]):
    total: int


class ProjectPage(m.ItemsResult[Project]):
    total: int
    """The number of items on all pages."""
    page: int
    limit: int


class Reaction(m.Result):
    message_id: str
    emoji: str
    user_id: str
    created_at: datetime


class ReminderSession(m.ResponsePart):
    id: str
    name: str
    title: str | None = None


class ReminderProject(m.ResponsePart):
    id: str
    slug: str
    name: str


class Reminder(m.Result):
    id: str
    at: datetime
    text: str | None = None
    """Your own words, if it has no message or task."""
    message_id: str | None = None
    task_id: str | None = None
    task_number: int | None = None
    excerpt: str | None = None
    """The beginning of the message, or the title of the task, as it is now. Null if you can no longer read it."""
    session: ReminderSession | None = None
    project: ReminderProject | None = None
    created_at: datetime


class ReminderPage(m.ItemsResult[Reminder]):
    total: int
    """The number of items on all pages."""
    page: int
    limit: int


class RotatedKey(m.Result):
    id: str
    """The new key."""
    name: str
    prefix: str
    scopes: list[str]
    created_at: datetime
    replaced_key_id: str
    expires_at: datetime
    """When the replaced key stops working."""
    secret: str = Field(repr=False)
    """The key itself. Shown only once."""


class RotatedOrgKey(m.Result):
    id: str
    """The new key."""
    name: str
    prefix: str
    scopes: list[str]
    created_at: datetime
    replaced_key_id: str
    expires_at: datetime
    """When the replaced key stops working."""
    key: str = Field(repr=False)
    """The key itself, starting with `sk_live_`. Shown only once."""


class SavedMessageSession(m.ResponsePart):
    id: str
    name: str
    title: str | None = None


class SavedMessageProject(m.ResponsePart):
    id: str
    slug: str
    name: str


class SavedMessage(m.ResponsePart):
    message: Message
    session: SavedMessageSession
    project: SavedMessageProject
    saved_at: datetime


class SavedPage(m.ItemsResult[SavedMessage]):
    total: int
    """The number of items on all pages."""
    page: int
    limit: int


class ScheduledMessageSession(m.ResponsePart):
    id: str
    name: str
    title: str | None = None


class ScheduledMessageProject(m.ResponsePart):
    id: str
    slug: str
    name: str


class ScheduledMessage(m.Result):
    id: str
    """The message has the same id once it is posted."""
    session_id: str
    parent_message_id: str | None = None
    body: str
    attachments: list[Attachment]
    """Its files. If one of them is deleted before, the message is not sent: FAILED."""
    send_at: datetime
    status: Annotated[Literal["SCHEDULED", "FAILED"], m.OPEN]
    """FAILED: it was due and could not be posted. A new `sendAt` tries again."""
    failure: str | None = None
    """Why it could not be posted."""
    session: ScheduledMessageSession | None = None
    """Null if you can no longer read the session."""
    project: ScheduledMessageProject | None = None
    created_at: datetime


class ScheduledMessagePage(m.ItemsResult[ScheduledMessage]):
    total: int
    """The number of items on all pages."""
    page: int
    limit: int


class SessionSummary(m.ResponsePart):
    text: str
    until_message_id: str
    """The last message that it covers."""
    updated_at: datetime


class SessionDetails(m.Result):
    id: str
    project_id: str
    name: str
    title: str | None = None
    description: str | None = None
    default_agent: str | None = None
    model: str | None = None
    kind: Annotated[SessionKind, m.OPEN] = "PROJECT"
    """DIRECT: the conversation of a few people, outside Projects. In paths, it is under the slug `direct`."""
    access: Annotated[SessionAccess, m.OPEN] = "PROJECT"
    """PROJECT: every member of the Project can read and write. PARTICIPANTS: only the participants can, and for everyone else, OWNERs and ADMINs included, the session does not exist."""
    participant_user_ids: list[str]
    """People who post become participants. Anyone who leaves the Project is removed. Those of a direct conversation never change."""
    answers_without_mention: bool = False
    """Whether a message that mentions nobody is answered like one that mentions `@model`, as long as its author is the only participant."""
    task_id: str | None = None
    """The task that is discussed here. Such sessions are not in the list of sessions."""
    status: Annotated[SessionStatus, m.OPEN]
    last_message_at: datetime | None = None
    unread_count: int
    """The number of messages by others that the caller has not read, if they follow the session: those after the read mark, and replies in threads that they take part in and have not opened since. 100 means 100 or more."""
    is_for_everyone: bool = False
    """Whether every member of the Project follows it unless they left. True for the first session of a Project. Never true for a private session."""
    is_followed: bool = True
    """Whether the caller follows it: they made it, take part, wrote in it, were mentioned or chose to, or it is for everyone; and they have not left it since."""
    level: Annotated[NotificationLevel, m.OPEN] = "ALL"
    """What the caller is told about. ALL: mentions, replies to them and replies in their threads. MENTIONS: mentions and replies to them. NONE: mentions only, in the inbox and nowhere else."""
    muted: bool = False
    """Whether `level` is NONE. Use `level` instead."""
    created_by_id: str
    created_at: datetime
    updated_at: datetime
    archived_at: datetime | None = None
    answers_as: str
    """The slug of who answers `@model` here: the session's `model`, its `defaultAgent`, the Project's, or the server's default."""
    first_unread_message_id: str | None = None
    """The oldest unread message outside threads, among the last 500 messages. Null if there is none."""
    summary: SessionSummary | None = None
    """What was said before the messages that prompts include. Null in a short session, without a language model, and after a message that it covers was edited or deleted, until the next reply."""


class SessionPage(m.ItemsResult[Session]):
    total: int
    """The number of items on all pages."""
    page: int
    limit: int


class SessionReach(m.Result):
    may_broadcast: bool
    """Whether the Project lets the caller use @here and @everyone."""
    here: int
    """How many followers @here would tell now, at most 200."""
    everyone: int
    """How many followers @everyone would tell, at most 200."""


class TaskSubtasks(m.ResponsePart):
    """`done` counts those that are DONE or CANCELLED. Archived ones are left out."""

    total: int
    done: int


class TaskRun(m.ResponsePart):
    message_id: str
    """The request, in the task's session."""
    agent: str
    """The name that the request mentions."""
    status: Annotated[Literal["RUNNING", "COMPLETED", "FAILED", "STOPPED"], m.OPEN]
    started_at: datetime


class Task(m.Result):
    id: str
    project_id: str
    number: int
    """Counts from 1 in each Project, as in `#12`."""
    title: str
    description: str | None = None
    status: Annotated[TaskStatus, m.OPEN]
    """The column on the board. Agents create PROPOSED tasks, which people accept or decline, and only people close tasks."""
    priority: Annotated[TaskPriority, m.OPEN]
    assignee_user_id: str | None = None
    assignee_agent: str | None = None
    """The slug of a model or agent."""
    due_on: date | None = None
    """A day, in no particular time zone."""
    labels: list[str]
    parent_task_id: str | None = None
    parent_number: int | None = None
    """The number of that task."""
    subtasks: TaskSubtasks
    """`done` counts those that are DONE or CANCELLED. Archived ones are left out."""
    attachments: list[Attachment]
    """Its files, in order. Every member of the Project can read them."""
    session_id: str | None = None
    """Where the task is discussed."""
    source_message_id: str | None = None
    """The message that the task was made from."""
    run: TaskRun | None = None
    """The latest time that an agent was asked to work on the task."""
    created_by_id: str
    created_by_agent: str | None = None
    """The agent that proposed the task, asked by `createdById`. `mcp`: an MCP client."""
    version: int
    """Grows with every change."""
    created_at: datetime
    updated_at: datetime
    started_at: datetime | None = None
    """When it first was IN_PROGRESS or IN_REVIEW."""
    completed_at: datetime | None = None
    """When it became DONE or CANCELLED."""
    archived_at: datetime | None = None


class TaskActivityChange(m.ResponsePart):
    field: str
    from_: Any
    to: Any


class TaskActivity(m.ResponsePart):
    id: str
    task_id: str
    version: int
    """The version that the change made."""
    actor_user_id: str
    actor_agent: str | None = None
    """The agent that made the change, asked by `actorUserId`."""
    changes: list[TaskActivityChange]
    """Long texts are cut. Empty for the entry of the creation."""
    created_at: datetime


class TaskActivityList(m.ItemsResult[TaskActivity]):
    next_before: str | None = None
    """Send it as `before` to get the next, older entries."""
    has_more: bool


class TaskList(m.ItemsResult[Task]):
    total: int


class TaskPage(m.ItemsResult[Task]):
    total: int
    """The number of items on all pages."""
    page: int
    limit: int


class TaskViewFilters(m.ResponsePart):
    status: list[Annotated[TaskStatus, m.OPEN]] | None = None
    """Without it, the view shows what is not DONE or CANCELLED."""
    assignee: list[str] | None = None
    """People's ids, `me`, agents as `@slug`, or `none`."""
    priority: list[Annotated[TaskPriority, m.OPEN]] | None = None
    run: list[Annotated[Literal["RUNNING", "COMPLETED", "FAILED", "STOPPED"], m.OPEN]] | None = None
    label: str | None = None
    due: Annotated[Literal["OVERDUE", "TODAY", "WEEK", "MONTH"], m.OPEN] | None = None
    """Until yesterday, today, or 7 or 30 days from now, on the day it is looked at."""
    query: str | None = None


class TaskView(m.Result):
    id: str
    project_id: str | None = None
    """Null: all Projects of the person."""
    name: str
    layout: Annotated[Literal["BOARD", "LIST"], m.OPEN]
    """A board shows one Project."""
    filters: TaskViewFilters
    sort: Annotated[Literal["rank", "dueOn", "priority", "updatedAt"], m.OPEN]
    group_by: Annotated[Literal["NONE", "STATUS", "ASSIGNEE", "PRIORITY", "DUE"], m.OPEN]
    """The headings of a list."""
    created_at: datetime
    updated_at: datetime


class TaskViewList(m.ItemsResult[TaskView]):
    total: int


class ThreadSession(m.ResponsePart):
    id: str
    name: str
    title: str | None = None


class ThreadProject(m.ResponsePart):
    id: str
    slug: str
    name: str


class Thread(m.ResponsePart):
    id: str
    """The first message's."""
    parent: Message
    """The message that was replied to."""
    session: ThreadSession
    project: ThreadProject
    unread_count: int
    """The number of unread replies by others. 100 means 100 or more."""
    last_reply_at: datetime


class ThreadPage(m.ItemsResult[Thread]):
    total: int
    """The number of items on all pages."""
    page: int
    limit: int


class UpdatedTaskError(m.ResponsePart):
    code: str
    message: str
    details: dict[str, Any]


class UpdatedTask(m.ResponsePart):
    task_id: str
    task: Task | None = None
    """As it is now. Null if it was refused."""
    was_after_task_id: str | None = None
    """The task that it came after in its column before the change; null if it was the first. To undo a move."""
    error: UpdatedTaskError | None = None
    """What the same change of this task alone would have been answered."""


class UpdatedTaskList(m.ItemsResult[UpdatedTask]):
    total: int


class Usage(m.ResponsePart):
    day: date
    """In UTC."""
    model: str
    user_id: str
    """The person who asked."""
    replies: int
    input_tokens: int
    output_tokens: int
    credits: int


class UsageList(m.ItemsResult[Usage]):
    total: int
