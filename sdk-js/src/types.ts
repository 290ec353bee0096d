// Generated from openapi/*.json by scripts/generate.ts. Change the API, not this file.
/* oxlint-disable max-lines */

export interface AcceptedInvitation {
  userId: string;
  email: string;
  name: string;
  /** The name by which the person is mentioned, unique among the names of the organisation. Null for up to ten minutes after an older version of the server added them. */
  handle: string | null;
  role: 'OWNER' | 'ADMIN' | 'MEMBER';
  /** What the person does, in their own words. It belongs to the organisation. */
  title: string | null;
  /** The path of the person's photo on this server. It changes with the photo. People of the same organisation may load it. */
  photo: string | null;
  status: PersonStatus | null;
  /** The IANA name of the time zone that the person is in. */
  timeZone: string | null;
  /** ISO 8601. */
  joinedAt: string;
  /** ACTIVE: has used the web app in the last minutes. AWAY: has it open. OFFLINE: neither, or you share no Project with the person. */
  presence: 'ACTIVE' | 'AWAY' | 'OFFLINE';
  org: {
    id: string;
    name: string;
  };
}

export interface Agent {
  id: string;
  /** The name to mention it by, after the `@`. */
  slug: string;
  name: string;
  description: string | null;
  instructions: string;
  /** The slug of its model. Null: the server's default. */
  model: string | null;
  /** The built-in tools that it may use. */
  tools: string[];
  /** MCP servers whose tools it may use, in the Projects that they serve. */
  mcpServerIds: string[];
  /** The Projects it answers in. Empty: every Project. */
  projectIds: string[];
  isEnabled: boolean;
  createdById: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  updatedAt: string;
  /** ISO 8601. */
  archivedAt: string | null;
}

export interface AgentList {
  items: Agent[];
  total: number;
}

export interface AllSessionsPage {
  items: Session[];
  /** The number of items on all pages. */
  total: number;
  page: number;
  limit: number;
  /** The number of unread messages in all these sessions, on any page, read ones included. Each session counts for 100 at most. */
  unreadTotal: number;
}

export interface Attachment {
  fileId: string;
  name: string;
  /** Found from the bytes. */
  mediaType: string;
  size: number;
  /** READY files can be read. CHECKING: the bytes are there, and are being checked. FAILED and REFUSED have a `reason`. */
  status: 'UPLOADING' | 'CHECKING' | 'READY' | 'FAILED' | 'REFUSED';
  /** The size of a picture in pixels, as it is shown. */
  image: {
    width: number;
    height: number;
  } | null;
  pages: number | null;
}

export interface AuditEntry {
  id: string;
  /** What happened, such as `project.created` or `member.removed`. */
  action: string;
  resourceType: string;
  /** Null for a session, or a message in one, that you may not read. */
  resourceId: string | null;
  /** The name that it has now. Null if it has none, no longer exists, or the caller cannot see it. */
  resourceName: string | null;
  /** `user`, `org-key` or `system`. */
  actorKind: string;
  /** The person, or the one who asked the agent. */
  actorUserId: string | null;
  /** The slug of the agent that did it. `mcp`: an MCP client. Null if a person did. */
  actorAgent: string | null;
  /** The key that was used. */
  keyId: string | null;
  requestId: string;
  details: Record<string, unknown>;
  /** ISO 8601. */
  createdAt: string;
}

export interface AuditPage {
  items: AuditEntry[];
  /** The number of items on all pages. */
  total: number;
  page: number;
  limit: number;
}

export interface BindMcpServer {
  /** Up to 200 items of up to 50 characters. */
  projectIds: string[];
}

export interface Branch {
  /** The question that the branch begins with. */
  messageId: string;
  /** Whether it is the one that is shown. */
  active: boolean;
}

export interface ChangeRole {
  role: 'OWNER' | 'ADMIN' | 'MEMBER';
}

export interface ChannelConnection {
  id: string;
  provider: 'SLACK' | 'MATTERMOST';
  displayName: string;
  /** Null for Slack. */
  serverUrl: string | null;
  workspaceName: string;
  botName: string;
  /** SOCKET: the server opens the connection for events. WEBHOOK: Slack sends them to `/api/webhooks/slack/{id}`. */
  mode: 'SOCKET' | 'WEBHOOK';
  /** Whether to trust addresses that the chat system has not verified. If so, anyone in the connected workspace with the address of a member counts as that member. People of other workspaces never do. */
  trustsEmails: boolean;
  status: 'CONNECTING' | 'CONNECTED' | 'BROKEN';
  lastError: string | null;
  /** ISO 8601. */
  lastEventAt: string | null;
  /** ISO 8601. */
  createdAt: string;
}

export interface ChannelConnectionList {
  items: ChannelConnection[];
  total: number;
}

export type ChannelConnectionTest =
  | {
      ok: true;
      workspaceName: string;
      botName: string;
      latencyMs: number;
    }
  | {
      ok: false;
      error: {
        code: string;
        message: string;
      };
    };

export interface ChannelMapping {
  id: string;
  projectId: string;
  connectionId: string;
  provider: 'SLACK' | 'MATTERMOST';
  channelId: string;
  channelName: string;
  sessionId: string;
  /** Which way messages go: IN is from the channel to the session only. */
  direction: 'BOTH' | 'IN' | 'OUT';
  /** Whose mentions in the channel agents answer, up to 20 replies a minute for one person and 60 for the channel. Other bots are never answered, and mentions in Atrium always are. Only an OWNER or ADMIN can set EVERYONE. */
  answers: 'MEMBERS' | 'EVERYONE' | 'NONE';
  /** Whether agents may use ORG memory in this session. People in the channel read the answers. */
  sharesOrgMemory: boolean;
  status: 'ACTIVE' | 'PAUSED' | 'BROKEN';
  lastError: string | null;
  /** When it was paused. What was written then is on one side only. `to` is null while it is paused. At most the last 100. */
  gaps: {
    /** ISO 8601. */
    from: string;
    /** ISO 8601. */
    to: string | null;
  }[];
  createdById: string;
  /** ISO 8601. */
  createdAt: string;
}

export interface ChannelMappingList {
  items: ChannelMapping[];
  total: number;
}

export interface ChatChannel {
  id: string;
  name: string;
  isPrivate: boolean;
  /** Whether the bot is in it, and so can be mapped. */
  isMember: boolean;
}

export interface ChatChannelList {
  items: ChatChannel[];
  total: number;
}

export interface Checkout {
  plan: 'pro' | 'team' | 'enterprise';
  /** Default: monthly. */
  interval?: 'monthly' | 'annual' | null;
  /** 1 to 2048 characters. */
  successUrl?: string | null;
  /** 1 to 2048 characters. */
  cancelUrl?: string | null;
}

export interface ChosenModel {
  /** The name to mention it by. Unique among the models, agents, MCP servers and handles of the organisation. */
  slug: string;
  model: string;
  /** What its replies cost in credits. Default: nothing. */
  creditsPerMillionTokens?: {
    /** From 0 to 100000000. */
    input: number;
    /** From 0 to 100000000. */
    output: number;
  } | null;
  /** Whether it takes images. It is then shown those of a question. Default: false. */
  vision?: boolean | null;
}

export type ConnectionTest =
  | {
      ok: true;
      protocolVersion: string;
      serverInfo: {
        name: string;
        version: string;
      };
      capabilities: Record<string, unknown>;
      latencyMs: number;
    }
  | {
      ok: false;
      error: {
        code: string;
        message: string;
      };
    };

export interface CreateAgent {
  /** Unique among the models, agents and MCP servers of the organisation. */
  slug: string;
  /** 1 to 120 characters. */
  name: string;
  /** Up to 2000 characters. */
  description?: string | null;
  /** Up to 8000 characters. */
  instructions?: string | null;
  model?: string | null;
  /** Up to 8 items. */
  tools?:
    | (
        | 'search_memory'
        | 'search_messages'
        | 'search_documents'
        | 'read_document'
        | 'remember'
        | 'list_tasks'
        | 'create_task'
        | 'update_task'
      )[]
    | null;
  /** Up to 20 items of up to 50 characters. */
  mcpServerIds?: string[] | null;
  /** Up to 200 items of up to 50 characters. */
  projectIds?: string[] | null;
  isEnabled?: boolean | null;
}

export interface CreateChannelConnection {
  provider: 'SLACK' | 'MATTERMOST';
  /** Default: the workspace's name. 1 to 120 characters. */
  displayName?: string | null;
  /** For Mattermost: the address of the server. It must use HTTPS. 1 to 2048 characters. */
  serverUrl?: string | null;
  /** Stored encrypted and never returned, like the others. 1 to 1000 characters. */
  botToken: string;
  /** For Slack with Socket Mode, which needs no public address. 1 to 1000 characters. */
  appToken?: string | null;
  /** For Slack without Socket Mode: the secret that it signs its requests with. 1 to 1000 characters. */
  signingSecret?: string | null;
  trustsEmails?: boolean | null;
}

export interface CreateChannelMapping {
  /** 1 to 50 characters. */
  connectionId: string;
  /** From `GET /channel-connections/{id}/channels`. The bot must be in the channel. Only an OWNER or ADMIN can map a private channel. 1 to 100 characters. */
  channelId: string;
  /** A session of this Project that all its members can read. Default: a new one with the name of the channel. 1 to 50 characters. */
  sessionId?: string | null;
  /** Default: BOTH. */
  direction?: 'BOTH' | 'IN' | 'OUT' | null;
  /** Default: MEMBERS. Only an OWNER or ADMIN can set EVERYONE. */
  answers?: 'MEMBERS' | 'EVERYONE' | 'NONE' | null;
  /** Only an OWNER or ADMIN can set it. */
  sharesOrgMemory?: boolean | null;
}

export interface CreateFile {
  /** 1 to 255 characters. */
  name: string;
  /** How many bytes will come. */
  size: number;
  /** A hint. What counts is found from the bytes. Up to 255 characters. */
  mediaType?: string | null;
}

export interface CreateInvitation {
  /** Up to 254 characters. */
  email: string;
  role: 'ADMIN' | 'MEMBER';
}

export interface CreateKey {
  /** A label shown in lists. 1 to 120 characters. */
  name: string;
  /** Up to 100 items. */
  scopes: (
    | 'projects:read'
    | 'projects:write'
    | 'sessions:read'
    | 'sessions:write'
    | 'messages:read'
    | 'messages:write'
    | 'memory:read'
    | 'memory:write'
    | 'org:read'
    | 'org:write'
    | 'keys:read'
    | 'keys:write'
    | 'billing:read'
    | 'billing:write'
    | 'mcp:read'
    | 'mcp:write'
    | 'agents:read'
    | 'agents:write'
    | 'notifications:read'
    | 'notifications:write'
    | 'tasks:read'
    | 'tasks:write'
    | 'channels:read'
    | 'channels:write'
    | 'files:read'
    | 'files:write'
    | 'documents:read'
    | 'documents:write'
  )[];
}

export interface CreateMcpServer {
  /** 1 to 120 characters. */
  displayName: string;
  /** Unique among the models, agents and MCP servers of the organisation. */
  mentionSlug: string;
  /** Its Streamable HTTP endpoint: HTTPS, at a public address. 1 to 2048 characters. */
  endpointUrl: string;
  authType: 'NONE' | 'BEARER' | 'API_KEY';
  /** For BEARER, the token. For API_KEY, `HeaderName:value`. Stored encrypted and never returned. 1 to 4096 characters. */
  secret?: string | null;
}

export interface CreateMemories {
  /** Up to 100 items. */
  items: CreateMemory[];
}

export interface CreateMemory {
  /** 1 to 10000 characters. */
  content: string;
  visibility: Visibility;
  /** Required when visibility is PROJECT. 1 to 50 characters. */
  projectId?: string | null;
  /** Up to 20 items of up to 50 characters. */
  tags?: string[] | null;
  /** 1 to 2048 characters. */
  sourceUrl?: string | null;
}

export interface CreateMessage {
  /** Markdown. It may be left out if there are files. `@model`, or a slug from `GET /models`, makes that model reply. `@` and the handle of a member of the Project mentions that person. `mentions` lists every mention. Up to 20000 characters. */
  body?: string | null;
  /** Posts the message as a reply in the thread of this top-level message. 1 to 50 characters. */
  parentMessageId?: string | null;
  /** Files of the Project that the caller may read, CHECKING or READY. Whoever can read the message can then read them. Up to 10 items of up to 50 characters. */
  fileIds?: string[] | null;
  /** Posts it at this time: in the future, at most 120 days ahead. ISO 8601. */
  sendAt?: string | null;
}

export interface CreateModelProvider {
  kind: 'openai' | 'anthropic' | 'openai-compatible' | 'ollama';
  /** 1 to 120 characters. */
  name: string;
  /** Default: the address of OpenAI, of Anthropic, or of Ollama on the same machine. Required for `openai-compatible`. 1 to 2048 characters. */
  baseUrl?: string | null;
  /** 1 to 1000 characters. */
  apiKey?: string | null;
  /** Up to 50 items. */
  models?: ChosenModel[] | null;
}

export interface CreateOrg {
  /** 1 to 120 characters. */
  name: string;
}

export interface CreateOrgKey {
  /** A label shown in lists. 1 to 120 characters. */
  name: string;
  /** Default: both. Up to 100 items. */
  scopes?: ('memory:read' | 'memory:write')[] | null;
}

export interface CreateProject {
  /** 1 to 120 characters. */
  name: string;
  /** Up to 2000 characters. */
  description?: string | null;
  /** Up to 20 items of up to 50 characters. */
  tags?: string[] | null;
  /** Default: ORG. */
  access?: 'ORG' | 'MEMBERS' | null;
  /** Default: EVERYONE. */
  broadcasts?: 'EVERYONE' | 'ADMINS' | 'NOBODY' | null;
}

export interface CreateReaction {
  /** One emoji that Unicode 16.0 recommends, with or without a skin tone. The character itself, not `:tada:`. 1 to 32 characters. */
  emoji: string;
}

export interface CreateReminder {
  /** A message that you may read. 1 to 50 characters. */
  messageId?: string | null;
  /** A task of one of your Projects. 1 to 50 characters. */
  taskId?: string | null;
  /** What to remind you of, in your own words. 1 to 500 characters. */
  text?: string | null;
  /** In the future, at most two years ahead. ISO 8601. */
  at: string;
}

export interface CreateSession {
  /** 1 to 120 characters. */
  name: string;
  /** Up to 2000 characters. */
  description?: string | null;
  /** PARTICIPANTS makes a private session. It cannot be changed later. Default: PROJECT. */
  access?: 'PROJECT' | 'PARTICIPANTS' | null;
  /** Up to 200 items of up to 50 characters. */
  participantUserIds?: string[] | null;
  /** Every member of the Project follows the session unless they leave it. Default: whether it is the first session of its Project that all members can read. */
  isForEveryone?: boolean | null;
  defaultAgent?: string | null;
  /** Default: false. */
  answersWithoutMention?: boolean | null;
  /** True: `name` is only there until the first message, whose first sentence becomes the name. A `title` stays as it is. Default: false. */
  isUnnamed?: boolean | null;
}

export interface CreateTask {
  /** 1 to 200 characters. */
  title: string;
  /** Up to 20000 characters. */
  description?: string | null;
  /** Default: TODO. */
  status?: 'PROPOSED' | 'TODO' | 'IN_PROGRESS' | 'IN_REVIEW' | 'DONE' | 'CANCELLED' | null;
  /** Default: NONE. */
  priority?: 'NONE' | 'LOW' | 'MEDIUM' | 'HIGH' | 'URGENT' | null;
  /** A member of the Project. 1 to 50 characters. */
  assigneeUserId?: string | null;
  assigneeAgent?: string | null;
  /** `YYYY-MM-DD`. */
  dueOn?: string | null;
  /** Up to 20 items of up to 50 characters. */
  labels?: string[] | null;
  /** Makes it a subtask of this task. 1 to 50 characters. */
  parentTaskId?: string | null;
  /** The message of the Project that the task is made from. 1 to 50 characters. */
  sourceMessageId?: string | null;
  /** The task comes right after this one in its column; null: first. Default: last. 1 to 50 characters. */
  afterTaskId?: string | null;
}

export interface CreateTaskView {
  /** 1 to 120 characters. */
  name: string;
  /** A Project of yours. Default: all of them. 1 to 50 characters. */
  projectId?: string | null;
  /** Default: LIST. */
  layout?: 'BOARD' | 'LIST' | null;
  filters?: NewTaskViewFilters | null;
  /** Default: rank. */
  sort?: 'rank' | 'dueOn' | 'priority' | 'updatedAt' | null;
  /** Default: NONE. */
  groupBy?: 'NONE' | 'STATUS' | 'ASSIGNEE' | 'PRIORITY' | 'DUE' | null;
  /** The view comes right after this one; null: first. Default: last. 1 to 50 characters. */
  afterViewId?: string | null;
}

export interface CreatedKey {
  id: string;
  name: string;
  /** The first characters of the secret, to tell keys apart. */
  prefix: string;
  scopes: string[];
  /** ISO 8601. */
  createdAt: string;
  /** Updated at most once a minute. ISO 8601. */
  lastUsedAt: string | null;
  /** Set when the key is rotated. ISO 8601. */
  expiresAt: string | null;
  /** ISO 8601. */
  revokedAt: string | null;
  /** The key itself. Shown only once. */
  secret: string;
}

/** The new organisation. */
export interface CreatedOrg {
  id: string;
  name: string;
  role: 'OWNER' | 'ADMIN' | 'MEMBER';
  /** ISO 8601. */
  createdAt: string;
}

export interface CreatedOrgKey {
  id: string;
  name: string;
  /** The first characters of the secret, to tell keys apart. */
  prefix: string;
  scopes: string[];
  /** ISO 8601. */
  createdAt: string;
  /** Updated at most once a minute. ISO 8601. */
  lastUsedAt: string | null;
  /** Set when the key is rotated. ISO 8601. */
  expiresAt: string | null;
  /** ISO 8601. */
  revokedAt: string | null;
  /** The key itself, starting with `sk_live_`. Shown only once. */
  key: string;
}

export interface Credits {
  /** The sum of the ledger. A refund can take it below zero. */
  balance: number;
  /** Held for replies in progress. */
  reserved: number;
  /** What is left of the plan's credits. They are spent first. */
  included: number;
  /** Bought credits. They never expire. */
  topup: number;
  plan: 'free' | 'pro' | 'team' | 'enterprise';
  /** When the included credits renew. Null if none are due. ISO 8601. */
  renewsAt: string | null;
}

export interface DecideProposals {
  /** These become TODO. Up to 100 items of up to 50 characters. */
  accept?: string[] | null;
  /** These become CANCELLED. Up to 100 items of up to 50 characters. */
  decline?: string[] | null;
}

export interface DeleteAccount {
  /** Not needed within 10 minutes of signing in with an email link. 1 to 1000 characters. */
  currentPassword?: string | null;
}

export interface Document {
  id: string;
  projectId: string;
  /** The name of its file. */
  title: string;
  url: string | null;
  fileId: string | null;
  sourceId: string | null;
  mediaType: string;
  /** In which its words are indexed: `en`, `de`, `es` or `fr`. */
  language: string;
  /** How many there are until now. */
  passages: number;
  /** ISO 8601. */
  updatedAt: string;
}

export interface DocumentMatch {
  document: Document;
  passage: Passage;
  /** Comparable across searches, and with the scores of memories. From 0 to 1. */
  score: number;
  /** The words of the query in the text of the passage, in code points. */
  highlights: {
    start: number;
    end: number;
  }[];
}

export interface DocumentMatches {
  items: DocumentMatch[];
  total: number;
  /** True if the embedding model was unavailable and only words were compared. */
  degraded: boolean;
}

export interface ExternalAuthor {
  provider: 'SLACK' | 'MATTERMOST';
  /** The id of the person in the chat system. */
  id: string;
  name: string;
}

export interface Failure {
  success: false;
  error: {
    code:
      | 'VALIDATION_ERROR'
      | 'AUTH_ERROR'
      | 'FORBIDDEN'
      | 'NOT_FOUND'
      | 'CONFLICT'
      | 'RATE_LIMIT'
      | 'INTERNAL_ERROR';
    message: string;
    details: {
      /** For CONFLICT and FORBIDDEN: a stable word for programs. */
      reason?: string;
      errors?: FieldError[];
    };
  };
  metadata: Metadata;
}

export interface FieldError {
  /** The field, for example `body.tags[0]` or `query.limit`. */
  location: string;
  /** The problem, for programs. */
  code: string;
  /** The problem, for people. */
  message: string;
}

export interface File {
  id: string;
  projectId: string;
  name: string;
  /** Found from the bytes. */
  mediaType: string;
  /** In bytes, as stored: without metadata of pictures. */
  size: number;
  /** Of the stored bytes, in hex. */
  sha256: string | null;
  /** READY files can be read. CHECKING: the bytes are there, and are being checked. FAILED and REFUSED have a `reason`. */
  status: 'UPLOADING' | 'CHECKING' | 'READY' | 'FAILED' | 'REFUSED';
  reason: string | null;
  /** PENDING: the text is still being read. EMPTY and FAILED have a `textReason`. NONE: there is none to read. */
  text: 'NONE' | 'PENDING' | 'READY' | 'EMPTY' | 'FAILED';
  textReason: string | null;
  pages: number | null;
  /** The size of a picture in pixels, as it is shown. */
  image: {
    width: number;
    height: number;
  } | null;
  /** Whether every member of the Project may read it. */
  isShared: boolean;
  uploadedById: string | null;
  uploadedByAgent: string | null;
  /** ISO 8601. */
  createdAt: string;
}

export interface FileMatches {
  /** How often the words are in the file. */
  total: number;
  /** The pages that have them, in order. */
  pages: PageMatches[];
  page: number;
  /** Where they are on `page` of a PDF, in shares of its width and height, from the top left. Empty for other files and for scans. */
  boxes: MatchBox[];
}

export interface FilePage {
  items: File[];
  /** The number of items on all pages. */
  total: number;
  page: number;
  limit: number;
}

export interface FileText {
  text: string;
  page: number;
  pages: number;
}

export interface FileUpload {
  id: string;
  projectId: string;
  name: string;
  /** Found from the bytes. */
  mediaType: string;
  /** In bytes, as stored: without metadata of pictures. */
  size: number;
  /** Of the stored bytes, in hex. */
  sha256: string | null;
  /** READY files can be read. CHECKING: the bytes are there, and are being checked. FAILED and REFUSED have a `reason`. */
  status: 'UPLOADING' | 'CHECKING' | 'READY' | 'FAILED' | 'REFUSED';
  reason: string | null;
  /** PENDING: the text is still being read. EMPTY and FAILED have a `textReason`. NONE: there is none to read. */
  text: 'NONE' | 'PENDING' | 'READY' | 'EMPTY' | 'FAILED';
  textReason: string | null;
  pages: number | null;
  /** The size of a picture in pixels, as it is shown. */
  image: {
    width: number;
    height: number;
  } | null;
  /** Whether every member of the Project may read it. */
  isShared: boolean;
  uploadedById: string | null;
  uploadedByAgent: string | null;
  /** ISO 8601. */
  createdAt: string;
  /** Where the bytes go: with one PUT, or piece by piece as tus 1.0. It works for whoever made it, for 24 hours. */
  uploadUrl: string;
}

export interface FileUsage {
  /** What all files take, and uploads will. */
  bytes: number;
  files: number;
  /** What they may take. */
  maxBytes: number;
}

/** The query of "Find words in a file". */
export interface FindInFileParams {
  /** Words that follow each other, in any case. 1 to 200 characters. */
  query: string;
  /** Of which `boxes` are. Default: 1. From 1 to 1000000. */
  page?: number;
}

export interface FollowSession {
  /** What to be told about. Default: unchanged. */
  level?: 'ALL' | 'MENTIONS' | 'NONE' | null;
}

/** The query of "Get a file's bytes". */
export interface GetFileContentParams {
  /** Whether a browser saves the file instead of showing it. Default: false. */
  download?: boolean;
}

/** The query of "Get a preview of a file". */
export interface GetFilePreviewParams {
  /** The width, at most. Default: 640. From 16 to 2048. */
  width?: number;
  /** The page of a PDF, from 1. Default: 1. From 1 to 100000. */
  page?: number;
}

/** The query of "Get a page of a file's text". */
export interface GetFileTextParams {
  /** From 1. Default: 1. From 1 to 1000000. */
  page?: number;
}

export interface HostedPage {
  /** Send the person to this page. */
  url: string;
  /** The payment provider's id of the page. */
  id: string;
}

/** The token is only in the email. */
export interface Invitation {
  id: string;
  email: string;
  role: 'ADMIN' | 'MEMBER';
  status: 'PENDING' | 'ACCEPTED' | 'REVOKED' | 'EXPIRED';
  invitedById: string;
  /** ISO 8601. */
  expiresAt: string;
  /** ISO 8601. */
  createdAt: string;
}

export interface InvitationLink {
  url: string;
}

export interface InvitationList {
  items: Invitation[];
  total: number;
}

/** A v2 key of one person in one organisation. */
export interface Key {
  id: string;
  name: string;
  /** The first characters of the secret, to tell keys apart. */
  prefix: string;
  scopes: string[];
  /** ISO 8601. */
  createdAt: string;
  /** Updated at most once a minute. ISO 8601. */
  lastUsedAt: string | null;
  /** Set when the key is rotated. ISO 8601. */
  expiresAt: string | null;
  /** ISO 8601. */
  revokedAt: string | null;
}

export interface KeyList {
  items: Key[];
  total: number;
}

export interface LedgerEntry {
  id: string;
  kind: 'GRANT' | 'TOPUP' | 'USAGE' | 'LAPSE' | 'REFUND';
  /** Negative if credits were spent, expired or were taken back. */
  credits: number;
  /** Where the entry comes from. Each source counts once. */
  source: string;
  /** The reply that was charged. Null, and `source` is only `message`, if you may not read it. */
  messageId: string | null;
  /** ISO 8601. */
  createdAt: string;
}

export interface LedgerPage {
  items: LedgerEntry[];
  /** The number of items on all pages. */
  total: number;
  page: number;
  limit: number;
}

/** What a page says about itself. It is plain text that anyone may have written. */
export interface LinkPreview {
  /** The link, as it is in the body. */
  url: string;
  /** What the page calls its site, or the host of the link. Up to 80 characters. */
  site: string;
  /** Up to 200 characters. */
  title: string;
  /** Up to 300 characters. */
  description: string | null;
}

/** The query of "List agents". */
export interface ListAgentsParams {
  /** Lists archived agents instead, the latest 200 of them. Default: false. */
  archived?: boolean;
}

/** The query of "List all files that the caller may read". */
export interface ListAllFilesParams {
  /** The page number, from 1. Default: 1. */
  page?: number;
  /** The number of items per page. Default: 20. From 1 to 100. */
  limit?: number;
  /** Only files with these words in their name. 1 to 200 characters. */
  query?: string | null;
  /** Only files whose media type begins with this. 1 to 100 characters. */
  type?: string | null;
}

/** The query of "List sessions of all Projects". */
export interface ListAllSessionsParams {
  /** The page number, from 1. Default: 1. */
  page?: number;
  /** The number of items per page. Default: 20. From 1 to 100. */
  limit?: number;
  /** ARCHIVED lists archived sessions instead. Default: ACTIVE. */
  status?: 'ACTIVE' | 'ARCHIVED';
  /** Lists only sessions that the caller follows. Default: false. */
  followed?: boolean;
  /** Lists only sessions with unread messages. Default: false. */
  unread?: boolean;
}

/** The query of "List tasks of all the caller's Projects". */
export interface ListAllTasksParams {
  /** The page number, from 1. Default: 1. */
  page?: number;
  /** The number of items per page. Default: 20. From 1 to 100. */
  limit?: number;
  /** Up to 20 items. */
  status?: ('PROPOSED' | 'TODO' | 'IN_PROGRESS' | 'IN_REVIEW' | 'DONE' | 'CANCELLED')[];
  /** A person's id, or `me` for the caller. */
  assigneeUserId?: string;
  /** The slug of a model or agent. */
  assigneeAgent?: string;
  /** Tasks of any of these: a person's id, `me`, an agent as `@slug`, or `none` for tasks without an assignee. Up to 20 items of up to 70 characters. */
  assignee?: string[];
  /** Up to 20 items. */
  priority?: ('NONE' | 'LOW' | 'MEDIUM' | 'HIGH' | 'URGENT')[];
  /** Only tasks that an agent was asked to work on, by how its latest run ended. Up to 20 items. */
  run?: ('RUNNING' | 'COMPLETED' | 'FAILED' | 'STOPPED')[];
  label?: string;
  /** Only tasks due before this day. `YYYY-MM-DD`. */
  dueBefore?: string;
  /** Only the subtasks of this task. */
  parentTaskId?: string;
  /** Only the task with this number. */
  number?: number;
  /** Only tasks whose title or description has words starting with each of these. 1 to 200 characters. */
  query?: string;
  /** Lists archived tasks instead. Default: false. */
  archived?: boolean;
  /** rank: by column, then as people have ordered them. dueOn: earliest first, without a date last. priority: highest first. updatedAt: newest first. Default: rank. */
  sort?: 'rank' | 'dueOn' | 'priority' | 'updatedAt';
}

/** The query of "Read the audit log". */
export interface ListAuditParams {
  /** The page number, from 1. Default: 1. */
  page?: number;
  /** The number of items per page. Default: 20. From 1 to 100. */
  limit?: number;
  /** Only this action, such as `project.created`. 1 to 100 characters. */
  action?: string;
  /** Only this type, such as `project`. 1 to 100 characters. */
  resourceType?: string;
  /** Only what happened to this resource. 1 to 100 characters. */
  resourceId?: string;
  /** Only what this person did. 1 to 100 characters. */
  actorUserId?: string;
  /** Only entries of this time or later. ISO 8601. */
  createdAfter?: string;
  /** Only entries before this time. ISO 8601. */
  createdBefore?: string;
}

/** The query of "Search the channels of a chat system". */
export interface ListChatChannelsParams {
  /** Only channels whose name contains this. Up to 100 characters. */
  query?: string;
}

/** The query of "List a Project's files". */
export interface ListFilesParams {
  /** The page number, from 1. Default: 1. */
  page?: number;
  /** The number of items per page. Default: 20. From 1 to 100. */
  limit?: number;
  /** Only files with these words in their name. 1 to 200 characters. */
  query?: string | null;
  /** Only files whose media type begins with this. 1 to 100 characters. */
  type?: string | null;
}

/** The query of "List ledger entries". */
export interface ListLedgerParams {
  /** The page number, from 1. Default: 1. */
  page?: number;
  /** The number of items per page. Default: 20. From 1 to 100. */
  limit?: number;
}

/** The query of "List memories". */
export interface ListMemoriesParams {
  visibility?: Visibility;
  /** Only memories of this Project. */
  projectId?: string;
  /** Only memories with this tag. 1 to 50 characters. */
  tag?: string;
  /** Only memories older than the one with this id: `nextBefore` of the last page. */
  before?: string;
  /** The most memories per page. A page of long ones has fewer: see `hasMore`. Default: 20. From 1 to 100. */
  limit?: number;
}

/** The query of "List messages". */
export interface ListMessagesParams {
  /** Only messages older than this one. */
  before?: string;
  /** This message with those before and after it. */
  around?: string;
  /** Only the replies to this message. */
  parentMessageId?: string;
  /** The most messages. A page of long ones has fewer: see `hasMore`. Default: 50. From 1 to 100. */
  limit?: number;
}

/** The query of "List your notifications". */
export interface ListNotificationsParams {
  /** Only unread ones. Default: false. */
  unread?: boolean;
  /** Only notifications older than the one with this id: `nextBefore` of the last page. */
  before?: string;
  /** How many notifications. Default: 20. From 1 to 100. */
  limit?: number;
}

/** The query of "List a session's pinned messages". */
export interface ListPinsParams {
  /** The page number, from 1. Default: 1. */
  page?: number;
  /** The number of items per page. Default: 20. From 1 to 100. */
  limit?: number;
}

/** The query of "List Projects". */
export interface ListProjectsParams {
  /** The page number, from 1. Default: 1. */
  page?: number;
  /** The number of items per page. Default: 20. From 1 to 100. */
  limit?: number;
  /** Only the Project with this slug. */
  slug?: string;
}

/** The query of "List your reminders". */
export interface ListRemindersParams {
  /** The page number, from 1. Default: 1. */
  page?: number;
  /** The number of items per page. Default: 20. From 1 to 100. */
  limit?: number;
}

/** The query of "List your saved messages". */
export interface ListSavedParams {
  /** The page number, from 1. Default: 1. */
  page?: number;
  /** The number of items per page. Default: 20. From 1 to 100. */
  limit?: number;
  /** Only messages of this session. */
  sessionId?: string;
}

/** The query of "List your scheduled messages". */
export interface ListScheduledMessagesParams {
  /** The page number, from 1. Default: 1. */
  page?: number;
  /** The number of items per page. Default: 20. From 1 to 100. */
  limit?: number;
}

/** The query of "List sessions". */
export interface ListSessionsParams {
  /** The page number, from 1. Default: 1. */
  page?: number;
  /** The number of items per page. Default: 20. From 1 to 100. */
  limit?: number;
  /** ARCHIVED lists archived sessions instead. Default: ACTIVE. */
  status?: 'ACTIVE' | 'ARCHIVED';
}

/** The query of "List a task's activity". */
export interface ListTaskActivityParams {
  /** Only entries older than this one. */
  before?: string;
  /** How many entries. Default: 50. From 1 to 100. */
  limit?: number;
}

/** The query of "List a Project's tasks". */
export interface ListTasksParams {
  /** The page number, from 1. Default: 1. */
  page?: number;
  /** The number of items per page. Default: 20. From 1 to 100. */
  limit?: number;
  /** Up to 20 items. */
  status?: ('PROPOSED' | 'TODO' | 'IN_PROGRESS' | 'IN_REVIEW' | 'DONE' | 'CANCELLED')[];
  /** A person's id, or `me` for the caller. */
  assigneeUserId?: string;
  /** The slug of a model or agent. */
  assigneeAgent?: string;
  /** Tasks of any of these: a person's id, `me`, an agent as `@slug`, or `none` for tasks without an assignee. Up to 20 items of up to 70 characters. */
  assignee?: string[];
  /** Up to 20 items. */
  priority?: ('NONE' | 'LOW' | 'MEDIUM' | 'HIGH' | 'URGENT')[];
  /** Only tasks that an agent was asked to work on, by how its latest run ended. Up to 20 items. */
  run?: ('RUNNING' | 'COMPLETED' | 'FAILED' | 'STOPPED')[];
  label?: string;
  /** Only tasks due before this day. `YYYY-MM-DD`. */
  dueBefore?: string;
  /** Only the subtasks of this task. */
  parentTaskId?: string;
  /** Only the task with this number. */
  number?: number;
  /** Only tasks whose title or description has words starting with each of these. 1 to 200 characters. */
  query?: string;
  /** Lists archived tasks instead. Default: false. */
  archived?: boolean;
  /** rank: by column, then as people have ordered them. dueOn: earliest first, without a date last. priority: highest first. updatedAt: newest first. Default: rank. */
  sort?: 'rank' | 'dueOn' | 'priority' | 'updatedAt';
}

/** The query of "List the threads that you take part in". */
export interface ListThreadsParams {
  /** The page number, from 1. Default: 1. */
  page?: number;
  /** The number of items per page. Default: 20. From 1 to 100. */
  limit?: number;
  /** Lists only threads with unread replies. Default: false. */
  unread?: boolean;
}

/** The query of "List usage". */
export interface ListUsageParams {
  /** The first day. Default: 29 days before `to`. `YYYY-MM-DD`. */
  from?: string;
  /** The last day. Default: today. `YYYY-MM-DD`. */
  to?: string;
}

export interface MarkNotificationsRead {
  /** These notifications. Ids that are not the caller's are ignored. Up to 1000 items of up to 50 characters. */
  ids?: string[] | null;
  /** All that were created until this time. It must not be in the future. ISO 8601. */
  until?: string | null;
  /** All that are about this task, because the caller has opened it. 1 to 50 characters. */
  taskId?: string | null;
}

export interface MarkRead {
  /** The last message that the caller has read. 1 to 50 characters. */
  messageId: string;
  /** Marks the thread below this message as read instead. `messageId` is one of its replies, or this message. 1 to 50 characters. */
  parentMessageId?: string | null;
}

export interface MarkUnread {
  /** The first message to be unread again. 1 to 50 characters. */
  messageId: string;
}

export interface MatchBox {
  /** Which match on the page, from 0. One on two lines has two boxes. */
  match: number;
  /** From 0 to 1. */
  x: number;
  /** From 0 to 1. */
  y: number;
  /** From 0 to 1. */
  width: number;
  /** From 0 to 1. */
  height: number;
}

export interface McpServer {
  id: string;
  displayName: string;
  /** The name to mention it by, after the `@`. */
  mentionSlug: string;
  endpointUrl: string;
  authType: 'NONE' | 'BEARER' | 'API_KEY';
  hasSecret: boolean;
  /** The Projects it is bound to. Empty if it serves all of them. */
  projectIds: string[];
  /** ISO 8601. */
  lastTestedAt: string | null;
  lastError: string | null;
  /** ISO 8601. */
  createdAt: string;
}

export interface McpServerList {
  items: McpServer[];
  total: number;
}

export interface Me {
  userId: string;
  email: string;
  name: string;
  /** The name by which the person is mentioned, unique among the names of the organisation. Null for up to ten minutes after an older version of the server added them. */
  handle: string | null;
  /** Which unread notifications of this organisation are emailed. */
  emailNotifications: 'ALL' | 'MENTIONS' | 'NONE';
  /** What the person does, in their own words. It belongs to the organisation. */
  title: string | null;
  /** The path of the person's photo on this server. It changes with the photo. People of the same organisation may load it. */
  photo: string | null;
  status: PersonStatus | null;
  /** The IANA name of the time zone that the person is in. */
  timeZone: string | null;
  role: 'OWNER' | 'ADMIN' | 'MEMBER';
  org: {
    id: string;
    name: string;
  };
  /** The key of this request. */
  keyId: string;
  /** What the key may be used for. */
  scopes: string[];
}

export interface Member {
  userId: string;
  email: string;
  name: string;
  /** The name by which the person is mentioned, unique among the names of the organisation. Null for up to ten minutes after an older version of the server added them. */
  handle: string | null;
  role: 'OWNER' | 'ADMIN' | 'MEMBER';
  /** What the person does, in their own words. It belongs to the organisation. */
  title: string | null;
  /** The path of the person's photo on this server. It changes with the photo. People of the same organisation may load it. */
  photo: string | null;
  status: PersonStatus | null;
  /** The IANA name of the time zone that the person is in. */
  timeZone: string | null;
  /** ISO 8601. */
  joinedAt: string;
  /** ACTIVE: has used the web app in the last minutes. AWAY: has it open. OFFLINE: neither, or you share no Project with the person. */
  presence: 'ACTIVE' | 'AWAY' | 'OFFLINE';
}

export interface MemberList {
  items: Member[];
  total: number;
}

export interface Memory {
  id: string;
  content: string;
  visibility: Visibility;
  /** For PROJECT, the Project whose members can see it; otherwise a label. */
  projectId: string | null;
  /** Null if a v1 key created it. */
  ownerUserId: string | null;
  tags: string[];
  sourceUrl: string | null;
  /** PENDING until the memory is embedded. Until then it is found by its words only. */
  embeddingStatus: 'READY' | 'PENDING';
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  updatedAt: string;
}

export interface MemoryBatch {
  /** The new memories, in the order they were sent. */
  items: Memory[];
  total: number;
}

export interface MemoryMatch {
  id: string;
  content: string;
  visibility: Visibility;
  /** For PROJECT, the Project whose members can see it; otherwise a label. */
  projectId: string | null;
  /** Null if a v1 key created it. */
  ownerUserId: string | null;
  tags: string[];
  sourceUrl: string | null;
  /** PENDING until the memory is embedded. Until then it is found by its words only. */
  embeddingStatus: 'READY' | 'PENDING';
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  updatedAt: string;
  /** The final score. Matches are sorted by it, and scores are comparable across searches. From 0 to 1. */
  score: number;
  scores: {
    /** From 0 to 1. */
    vector: number | null;
    /** The share of the query's words it contains, weighted by rarity. From 0 to 1. */
    lexical: number;
    /** From 0 to 1. */
    rerank: number | null;
  };
}

export interface MemoryMatches {
  items: MemoryMatch[];
  total: number;
  /** True if the embedding model was unavailable and only words were compared. */
  degraded: boolean;
}

export interface MemoryPage {
  items: Memory[];
  /** Pass it as `before` to get the next page. */
  nextBefore: string | null;
  hasMore: boolean;
}

export interface Message {
  id: string;
  sessionId: string;
  parentMessageId: string | null;
  authorKind: 'USER' | 'AGENT';
  authorUserId: string | null;
  /** Who wrote it in the chat system, for every message that came from a chat channel. `authorUserId` is the member they are taken for, or null: then they have no rights here. Null for messages that members posted from a channel before this was recorded. */
  externalAuthor: ExternalAuthor | null;
  agentSlug: string | null;
  inReplyToMessageId: string | null;
  /** Empty after the message was deleted. */
  body: string;
  /** The slugs that the body mentions. */
  mentions: string[];
  /** For AGENT messages: FAILED ones have an `error`, STOPPED ones end where somebody stopped them. */
  status: 'COMPLETED' | 'FAILED' | 'STOPPED';
  error: {
    code: string;
    message: string;
  } | null;
  /** What an AGENT message refers to: a memory by `memoryId`, a message of another session by `messageId`, or a `page` of a document by `documentId`. Each entry is one of them. */
  citations: {
    memoryId?: string;
    messageId?: string;
    documentId?: string;
    page?: number;
  }[];
  /** The calls to tools that an AGENT message is based on. */
  toolCalls: ToolCall[];
  /** The mentions that are still being answered. Each entry is written with the message and removed in the commit that adds its reply. A retry adds it again. */
  pendingReplies: PendingReply[];
  /** The readers of the session whom the body mentions by their handles, or by a name that only one of them has, at most 50. */
  mentionedUserIds: string[];
  /** HERE or EVERYONE if the author wrote @here or @everyone and was allowed to: the followers of the session are told, at most 200. Null otherwise, also if the body has one of these words. */
  broadcast: 'HERE' | 'EVERYONE' | null;
  /** The tasks that were made from this message. */
  tasks: {
    id: string;
    number: number;
  }[];
  /** Of the first three links of a person's message to public https pages, those that the server could read. They arrive after the message, and are kept for 30 days. Tools of the MCP endpoint never return any. */
  previews: LinkPreview[];
  /** Its files, in the order of the post. Whoever can read the message can read them. */
  attachments: Attachment[];
  reactions: {
    emoji: string;
    /** Of members, and of people in a mapped channel. */
    count: number;
    userIds: string[];
  }[];
  replyCount: number;
  /** The versions of a question that was asked again, oldest first. Empty for every other message. */
  branches: Branch[];
  /** Null if it is not pinned. ISO 8601. */
  pinnedAt: string | null;
  /** Who pinned it in its session. */
  pinnedById: string | null;
  /** The tokens, credits and time that an AGENT message took; null for other messages. */
  usage: {
    inputTokens: number;
    outputTokens: number;
    credits: number;
    latencyMs: number;
  } | null;
  /** Only in the response to a post with `sendAt`: it is not posted yet. ISO 8601. */
  sendAt?: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  editedAt: string | null;
  /** ISO 8601. */
  deletedAt: string | null;
}

export type MessageContent = 'link' | 'code' | 'reaction' | 'reply' | 'file';

export interface MessageList {
  items: Message[];
  /** The number of messages in the session, or in the thread, without branches that are not shown. */
  total: number;
  /** Send it as `before` to get the next, older messages. */
  nextBefore: string | null;
  hasMore: boolean;
}

export interface MessageMatch {
  message: Message;
  session: {
    id: string;
    name: string;
    title: string | null;
  };
  project: {
    id: string;
    slug: string;
    name: string;
  };
  /** The share of the query's words that the message has, weighted by rarity. From 0 to 1. */
  score: number;
  /** Where the words and phrases are in the body, in code points: from `start` up to and without `end`. */
  highlights: {
    start: number;
    end: number;
  }[];
}

export interface MessageMatches {
  items: MessageMatch[];
  total: number;
  /** True if matches may be missing: while older messages are still being indexed after an upgrade, or if there was more text to look through, or to return, than one search may. */
  degraded: boolean;
}

export interface Metadata {
  /** ISO 8601. */
  timestamp: string;
  requestId: string;
}

export interface Model {
  /** The name to mention it by, after the `@`. */
  slug: string;
  provider: 'builtin' | 'openai' | 'anthropic' | 'openai-compatible';
  /** The provider's name for it; null for `recall`. */
  model: string | null;
  /** The higher of its two prices, if input and output have different ones. */
  creditsPer1kTokens: number;
  creditsPerMillionTokens: {
    input: number;
    output: number;
  };
  /** Who offers it: Atrium itself, whoever runs the server, or an OWNER of the organisation. */
  origin: 'builtin' | 'server' | 'organisation';
  /** Whether it answers `@model` in a session without a model of its own. */
  isDefault: boolean;
  /** How its latest reply in this organisation ended. Null if it has not answered yet, and for `recall`. Replies that failed for other reasons, such as missing credits, don't count. */
  lastResult: {
    status: 'COMPLETED' | 'FAILED';
    error: {
      code: string;
      message: string;
    } | null;
    /** ISO 8601. */
    at: string;
  } | null;
}

export interface ModelList {
  items: Model[];
  total: number;
}

export type ModelProviderTest =
  | {
      ok: true;
      /** Which one answered. */
      model: string | null;
      /** What it answered. */
      answer: string | null;
      /** How many models the provider offers, if it was asked that. */
      offeredModels: number | null;
      latencyMs: number;
    }
  | {
      ok: false;
      error: {
        code: string;
        message: string;
      };
    };

export interface MuteSession {
  muted: boolean;
}

export interface NewTaskViewFilters {
  /** Without it, the view shows what is not DONE or CANCELLED. Up to 6 items. */
  status?: ('PROPOSED' | 'TODO' | 'IN_PROGRESS' | 'IN_REVIEW' | 'DONE' | 'CANCELLED')[] | null;
  /** People's ids, `me`, agents as `@slug`, or `none`. Up to 20 items of up to 70 characters. */
  assignee?: string[] | null;
  /** Up to 5 items. */
  priority?: ('NONE' | 'LOW' | 'MEDIUM' | 'HIGH' | 'URGENT')[] | null;
  /** Up to 4 items. */
  run?: ('RUNNING' | 'COMPLETED' | 'FAILED' | 'STOPPED')[] | null;
  /** 1 to 50 characters. */
  label?: string | null;
  /** Until yesterday, today, or 7 or 30 days from now, on the day it is looked at. */
  due?: 'OVERDUE' | 'TODAY' | 'WEEK' | 'MONTH' | null;
  /** 1 to 200 characters. */
  query?: string | null;
}

export interface Notification {
  id: string;
  kind:
    | 'MENTION'
    | 'BROADCAST'
    | 'THREAD_REPLY'
    | 'AGENT_REPLY'
    | 'TASK_ASSIGNED'
    | 'TASK_FINISHED'
    | 'INVITATION_ACCEPTED'
    | 'CHANNEL_BROKEN'
    | 'REMINDER'
    | 'SCHEDULED_FAILED'
    | 'DIRECT_MESSAGE';
  projectId: string | null;
  projectSlug: string | null;
  projectName: string | null;
  sessionId: string | null;
  sessionName: string | null;
  /** The message that mentions or replies. For AGENT_REPLY, the reply. For REMINDER, the message that it is about. */
  messageId: string | null;
  /** The task that was assigned or finished, or that a REMINDER is about. */
  taskId: string | null;
  taskNumber: number | null;
  actorUserId: string | null;
  actorName: string | null;
  /** The slug of the agent that replied or changed the task. */
  actorAgent: string | null;
  /** The beginning of the message in plain text, or the title of the task, as it is now, or what happened in one sentence. */
  text: string;
  /** Whether it is in the inbox only, because the caller has chosen the level NONE for the session: it is not mailed, and the web app does not show it by itself. */
  isQuiet: boolean;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  readAt: string | null;
}

export interface NotificationCount {
  /** How many are still unread. */
  unreadTotal: number;
}

export interface NotificationList {
  items: Notification[];
  /** How many are unread, on all pages. */
  unreadTotal: number;
  /** Send it as `before` to get the next, older notifications. */
  nextBefore: string | null;
  hasMore: boolean;
}

export interface OfferedModels {
  models: {
    /** The provider's name for it. */
    model: string;
    displayName: string | null;
    /** Whether the provider says that it takes images. */
    vision: boolean;
  }[];
  /** Why there is no list. Null if there is one. */
  error: {
    code: string;
    message: string;
  } | null;
}

export interface OpenDirect {
  /** The other people, who are members of the organisation. Up to 8 items of up to 50 characters. */
  userIds: string[];
}

/** The organisation. */
export interface OrgDetails {
  id: string;
  name: string;
  /** Whether the server reads public pages that its messages link to. */
  linkPreviews: boolean;
  /** False if the operator has turned previews off for all organisations. */
  linkPreviewsAvailable: boolean;
  /** ISO 8601. */
  createdAt: string;
}

/** A v1 key. It belongs to the organisation, not to a person. */
export interface OrgKey {
  id: string;
  name: string;
  /** The first characters of the secret, to tell keys apart. */
  prefix: string;
  scopes: string[];
  /** ISO 8601. */
  createdAt: string;
  /** Updated at most once a minute. ISO 8601. */
  lastUsedAt: string | null;
  /** Set when the key is rotated. ISO 8601. */
  expiresAt: string | null;
  /** ISO 8601. */
  revokedAt: string | null;
}

export interface OrgKeyList {
  items: OrgKey[];
  total: number;
}

export interface OrgModelProvider {
  id: string;
  name: string;
  kind: 'openai' | 'anthropic' | 'openai-compatible' | 'ollama';
  baseUrl: string;
  hasKey: boolean;
  /** If not, none of its models answers. */
  isEnabled: boolean;
  models: {
    /** The name to mention it by, after the `@`. */
    slug: string;
    /** The provider's name for it. */
    model: string;
    /** Credits for a million tokens. One credit is 0.01 USD. */
    creditsPerMillionTokens: {
      input: number;
      output: number;
    };
    /** Whether it is shown the images of a question. */
    vision: boolean;
    /** True if the operator has since given this slug to a model of the server, which answers instead. */
    isOverridden: boolean;
  }[];
  /** ISO 8601. */
  lastTestedAt: string | null;
  lastError: string | null;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  updatedAt: string;
}

export interface OrgModelProviderList {
  items: OrgModelProvider[];
  total: number;
}

export interface PageMatches {
  page: number;
  count: number;
}

export interface Passage {
  text: string;
  page: number;
  /** The last one above it. */
  heading: string | null;
  /** Where it begins in the text of its page, in code points. */
  start: number;
  /** Where it ends there. */
  end: number;
}

export interface PendingReply {
  /** The slug, as in `mentions`. */
  mention: string;
  /** When the reply was asked for: with the message, or with the latest retry. ISO 8601. */
  startedAt: string;
}

/** What the person is doing, until then. */
export interface PersonStatus {
  emoji: string | null;
  text: string;
  /** ISO 8601. */
  until: string | null;
}

export interface PinPage {
  items: Message[];
  /** The number of items on all pages. */
  total: number;
  page: number;
  limit: number;
}

export interface PlanOffer {
  plan: 'free' | 'pro' | 'team' | 'enterprise';
  /** Included every month. */
  credits: number;
  /** Empty for the free plan, for a plan that this server does not sell, and while the payment provider is unavailable. */
  prices: {
    interval: 'monthly' | 'annual';
    /** In the currency's smallest unit, such as cents. */
    amount: number;
    /** ISO 4217, in capitals. */
    currency: string;
  }[];
}

export interface PlanOfferList {
  items: PlanOffer[];
  total: number;
}

export interface Portal {
  /** 1 to 2048 characters. */
  returnUrl?: string | null;
}

export interface Project {
  id: string;
  /** Identifies the Project in `/spaces/{slug}` paths. It never changes. */
  slug: string;
  name: string;
  description: string | null;
  tags: string[];
  /** ORG: every member of the organisation belongs to the Project. MEMBERS: only its creator, OWNERs, ADMINs and the people added to it. */
  access: 'ORG' | 'MEMBERS';
  /** Who answers `@model`, unless the session sets its own. */
  defaultAgent: string | null;
  /** Who may tell everybody with @here and @everyone. EVERYONE: every member of the Project. ADMINS: OWNERs, ADMINs and the Project's creator. */
  broadcasts: 'EVERYONE' | 'ADMINS' | 'NOBODY';
  createdById: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  updatedAt: string;
  /** ISO 8601. */
  archivedAt: string | null;
}

export interface ProjectMember {
  userId: string;
  email: string;
  name: string;
  /** The name by which the person is mentioned, unique among the names of the organisation. Null for up to ten minutes after an older version of the server added them. */
  handle: string | null;
  role: 'OWNER' | 'ADMIN' | 'MEMBER';
  /** Null for people who belong to the Project without having been added. ISO 8601. */
  addedAt: string | null;
}

export interface ProjectMemberList {
  items: ProjectMember[];
  total: number;
}

export interface ProjectPage {
  items: Project[];
  /** The number of items on all pages. */
  total: number;
  page: number;
  limit: number;
}

export interface Reaction {
  messageId: string;
  emoji: string;
  userId: string;
  /** ISO 8601. */
  createdAt: string;
}

export interface Reminder {
  id: string;
  /** ISO 8601. */
  at: string;
  /** Your own words, if it has no message or task. */
  text: string | null;
  messageId: string | null;
  taskId: string | null;
  taskNumber: number | null;
  /** The beginning of the message, or the title of the task, as it is now. Null if you can no longer read it. */
  excerpt: string | null;
  session: {
    id: string;
    name: string;
    title: string | null;
  } | null;
  project: {
    id: string;
    slug: string;
    name: string;
  } | null;
  /** ISO 8601. */
  createdAt: string;
}

export interface ReminderPage {
  items: Reminder[];
  /** The number of items on all pages. */
  total: number;
  page: number;
  limit: number;
}

export interface RetryMessage {
  /** Only for a question of your own: what to ask instead. Default: the same. Its files are part of it either way. 1 to 20000 characters. */
  body?: string | null;
  /** Only for a question of your own: the model or agent that answers this time, whoever is mentioned. */
  agent?: string | null;
}

export interface RotateKey {
  /** How long the old key keeps working. Default: 0. A key that rotates itself keeps working for at least 60 seconds. From 0 to 604800. */
  gracePeriodSeconds?: number | null;
}

export interface RotatedKey {
  /** The new key. */
  id: string;
  name: string;
  prefix: string;
  scopes: string[];
  /** ISO 8601. */
  createdAt: string;
  replacedKeyId: string;
  /** When the replaced key stops working. ISO 8601. */
  expiresAt: string;
  /** The key itself. Shown only once. */
  secret: string;
}

export interface RotatedOrgKey {
  /** The new key. */
  id: string;
  name: string;
  prefix: string;
  scopes: string[];
  /** ISO 8601. */
  createdAt: string;
  replacedKeyId: string;
  /** When the replaced key stops working. ISO 8601. */
  expiresAt: string;
  /** The key itself, starting with `sk_live_`. Shown only once. */
  key: string;
}

export interface SavedMessage {
  message: Message;
  session: {
    id: string;
    name: string;
    title: string | null;
  };
  project: {
    id: string;
    slug: string;
    name: string;
  };
  /** ISO 8601. */
  savedAt: string;
}

export interface SavedPage {
  items: SavedMessage[];
  /** The number of items on all pages. */
  total: number;
  page: number;
  limit: number;
}

export interface ScheduledMessage {
  /** The message has the same id once it is posted. */
  id: string;
  sessionId: string;
  parentMessageId: string | null;
  body: string;
  /** Its files. If one of them is deleted before, the message is not sent: FAILED. */
  attachments: Attachment[];
  /** ISO 8601. */
  sendAt: string;
  /** FAILED: it was due and could not be posted. A new `sendAt` tries again. */
  status: 'SCHEDULED' | 'FAILED';
  /** Why it could not be posted. */
  failure: string | null;
  /** Null if you can no longer read the session. */
  session: {
    id: string;
    name: string;
    title: string | null;
  } | null;
  project: {
    id: string;
    slug: string;
    name: string;
  } | null;
  /** ISO 8601. */
  createdAt: string;
}

export interface ScheduledMessagePage {
  items: ScheduledMessage[];
  /** The number of items on all pages. */
  total: number;
  page: number;
  limit: number;
}

export interface SearchDocuments {
  /** 1 to 2000 characters. */
  query: string;
  /** Only documents of this Project. 1 to 50 characters. */
  projectId?: string | null;
  /** Only the text of this file. 1 to 50 characters. */
  fileId?: string | null;
  /** Only documents of this source. 1 to 50 characters. */
  sourceId?: string | null;
  /** From 1 to 50. */
  limit?: number | null;
}

export interface SearchMemories {
  /** 1 to 2000 characters. */
  query: string;
  /** Only memories of this Project. 1 to 50 characters. */
  projectId?: string | null;
  /** From 1 to 100. */
  limit?: number | null;
  visibility?: Visibility | null;
  /** Only memories with all of these tags. Up to 20 items of up to 50 characters. */
  tags?: string[] | null;
  /** Only matches with at least this score. From 0 to 1. */
  threshold?: number | null;
  /** Only memories created at this time or later. ISO 8601. */
  createdAfter?: string | null;
  /** Only memories created before this time. ISO 8601. */
  createdBefore?: string | null;
}

export interface SearchMessages {
  /** Words to look for, in any order. A part in double quotes is a phrase that must occur. 1 to 2000 characters. */
  query: string;
  /** Only messages of this Project. 1 to 50 characters. */
  projectId?: string | null;
  /** Only messages of this session. 1 to 50 characters. */
  sessionId?: string | null;
  /** Only this person's messages. 1 to 50 characters. */
  authorUserId?: string | null;
  /** Only replies of the model or agent with this slug. */
  agent?: string | null;
  /** Only messages created at this time or later. ISO 8601. */
  createdAfter?: string | null;
  /** Only messages created before this time. ISO 8601. */
  createdBefore?: string | null;
  /** Only messages that have all of these: a link, code, a reaction, a reply, a file. Up to 5 items. */
  has?: MessageContent[] | null;
  /** From 1 to 100. */
  limit?: number | null;
}

export interface Session {
  id: string;
  projectId: string;
  name: string;
  title: string | null;
  description: string | null;
  defaultAgent: string | null;
  model: string | null;
  /** DIRECT: the conversation of a few people, outside Projects. In paths, it is under the slug `direct`. */
  kind: 'PROJECT' | 'DIRECT';
  /** PROJECT: every member of the Project can read and write. PARTICIPANTS: only the participants can, and for everyone else, OWNERs and ADMINs included, the session does not exist. */
  access: 'PROJECT' | 'PARTICIPANTS';
  /** People who post become participants. Anyone who leaves the Project is removed. Those of a direct conversation never change. */
  participantUserIds: string[];
  /** Whether a message that mentions nobody is answered like one that mentions `@model`, as long as its author is the only participant. */
  answersWithoutMention: boolean;
  /** The task that is discussed here. Such sessions are not in the list of sessions. */
  taskId: string | null;
  status: 'ACTIVE' | 'ARCHIVED';
  /** ISO 8601. */
  lastMessageAt: string | null;
  /** The number of messages by others that the caller has not read, if they follow the session: those after the read mark, and replies in threads that they take part in and have not opened since. 100 means 100 or more. */
  unreadCount: number;
  /** Whether every member of the Project follows it unless they left. True for the first session of a Project. Never true for a private session. */
  isForEveryone: boolean;
  /** Whether the caller follows it: they made it, take part, wrote in it, were mentioned or chose to, or it is for everyone; and they have not left it since. */
  isFollowed: boolean;
  /** What the caller is told about. ALL: mentions, replies to them and replies in their threads. MENTIONS: mentions and replies to them. NONE: mentions only, in the inbox and nowhere else. */
  level: 'ALL' | 'MENTIONS' | 'NONE';
  /** Whether `level` is NONE. Use `level` instead. */
  muted: boolean;
  createdById: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  updatedAt: string;
  /** ISO 8601. */
  archivedAt: string | null;
}

export interface SessionDetails {
  id: string;
  projectId: string;
  name: string;
  title: string | null;
  description: string | null;
  defaultAgent: string | null;
  model: string | null;
  /** DIRECT: the conversation of a few people, outside Projects. In paths, it is under the slug `direct`. */
  kind: 'PROJECT' | 'DIRECT';
  /** PROJECT: every member of the Project can read and write. PARTICIPANTS: only the participants can, and for everyone else, OWNERs and ADMINs included, the session does not exist. */
  access: 'PROJECT' | 'PARTICIPANTS';
  /** People who post become participants. Anyone who leaves the Project is removed. Those of a direct conversation never change. */
  participantUserIds: string[];
  /** Whether a message that mentions nobody is answered like one that mentions `@model`, as long as its author is the only participant. */
  answersWithoutMention: boolean;
  /** The task that is discussed here. Such sessions are not in the list of sessions. */
  taskId: string | null;
  status: 'ACTIVE' | 'ARCHIVED';
  /** ISO 8601. */
  lastMessageAt: string | null;
  /** The number of messages by others that the caller has not read, if they follow the session: those after the read mark, and replies in threads that they take part in and have not opened since. 100 means 100 or more. */
  unreadCount: number;
  /** Whether every member of the Project follows it unless they left. True for the first session of a Project. Never true for a private session. */
  isForEveryone: boolean;
  /** Whether the caller follows it: they made it, take part, wrote in it, were mentioned or chose to, or it is for everyone; and they have not left it since. */
  isFollowed: boolean;
  /** What the caller is told about. ALL: mentions, replies to them and replies in their threads. MENTIONS: mentions and replies to them. NONE: mentions only, in the inbox and nowhere else. */
  level: 'ALL' | 'MENTIONS' | 'NONE';
  /** Whether `level` is NONE. Use `level` instead. */
  muted: boolean;
  createdById: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  updatedAt: string;
  /** ISO 8601. */
  archivedAt: string | null;
  /** The slug of who answers `@model` here: the session's `model`, its `defaultAgent`, the Project's, or the server's default. */
  answersAs: string;
  /** The oldest unread message outside threads, among the last 500 messages. Null if there is none. */
  firstUnreadMessageId: string | null;
  /** What was said before the messages that prompts include. Null in a short session, without a language model, and after a message that it covers was edited or deleted, until the next reply. */
  summary: SessionSummary | null;
}

export interface SessionPage {
  items: Session[];
  /** The number of items on all pages. */
  total: number;
  page: number;
  limit: number;
}

export interface SessionReach {
  /** Whether the Project lets the caller use @here and @everyone. */
  mayBroadcast: boolean;
  /** How many followers @here would tell now, at most 200. */
  here: number;
  /** How many followers @everyone would tell, at most 200. */
  everyone: number;
}

export interface SessionSummary {
  text: string;
  /** The last message that it covers. */
  untilMessageId: string;
  /** ISO 8601. */
  updatedAt: string;
}

export interface SetTaskFiles {
  /** All files that the task has from now on, in this order. Up to 10 items of up to 50 characters. */
  fileIds: string[];
}

export interface StartTask {
  /** The model or agent that works on it. Default: the assignee, if that is one, or the one that answers `@model` in the task's session. */
  agent?: string | null;
  /** What to do. Title and description are included anyway. 1 to 4000 characters. */
  instructions?: string | null;
}

export interface StatusInput {
  /** Up to 40 characters. */
  emoji?: string | null;
  /** 1 to 100 characters. */
  text: string;
  /** When it ends. Default: when you end it. ISO 8601. */
  until?: string | null;
}

export interface Task {
  id: string;
  projectId: string;
  /** Counts from 1 in each Project, as in `#12`. */
  number: number;
  title: string;
  description: string | null;
  /** The column on the board. Agents create PROPOSED tasks, which people accept or decline, and only people close tasks. */
  status: 'PROPOSED' | 'TODO' | 'IN_PROGRESS' | 'IN_REVIEW' | 'DONE' | 'CANCELLED';
  priority: 'NONE' | 'LOW' | 'MEDIUM' | 'HIGH' | 'URGENT';
  assigneeUserId: string | null;
  /** The slug of a model or agent. */
  assigneeAgent: string | null;
  /** A day, in no particular time zone. `YYYY-MM-DD`. */
  dueOn: string | null;
  labels: string[];
  parentTaskId: string | null;
  /** The number of that task. */
  parentNumber: number | null;
  /** `done` counts those that are DONE or CANCELLED. Archived ones are left out. */
  subtasks: {
    total: number;
    done: number;
  };
  /** Its files, in order. Every member of the Project can read them. */
  attachments: Attachment[];
  /** Where the task is discussed. */
  sessionId: string | null;
  /** The message that the task was made from. */
  sourceMessageId: string | null;
  /** The latest time that an agent was asked to work on the task. */
  run: TaskRun | null;
  createdById: string;
  /** The agent that proposed the task, asked by `createdById`. `mcp`: an MCP client. */
  createdByAgent: string | null;
  /** Grows with every change. */
  version: number;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  updatedAt: string;
  /** When it first was IN_PROGRESS or IN_REVIEW. ISO 8601. */
  startedAt: string | null;
  /** When it became DONE or CANCELLED. ISO 8601. */
  completedAt: string | null;
  /** ISO 8601. */
  archivedAt: string | null;
}

export interface TaskActivity {
  id: string;
  taskId: string;
  /** The version that the change made. */
  version: number;
  actorUserId: string;
  /** The agent that made the change, asked by `actorUserId`. */
  actorAgent: string | null;
  /** Long texts are cut. Empty for the entry of the creation. */
  changes: {
    field: string;
    from: unknown;
    to: unknown;
  }[];
  /** ISO 8601. */
  createdAt: string;
}

export interface TaskActivityList {
  items: TaskActivity[];
  /** Send it as `before` to get the next, older entries. */
  nextBefore: string | null;
  hasMore: boolean;
}

export interface TaskChange {
  /** 1 to 200 characters. */
  title?: string | null;
  /** Up to 20000 characters. */
  description?: string | null;
  status?: 'PROPOSED' | 'TODO' | 'IN_PROGRESS' | 'IN_REVIEW' | 'DONE' | 'CANCELLED' | null;
  priority?: 'NONE' | 'LOW' | 'MEDIUM' | 'HIGH' | 'URGENT' | null;
  /** A member of the Project, in place of the present assignee. 1 to 50 characters. */
  assigneeUserId?: string | null;
  /** A model or an agent of the Project, in place of the present assignee. */
  assigneeAgent?: string | null;
  /** `YYYY-MM-DD`. */
  dueOn?: string | null;
  /** Up to 20 items of up to 50 characters. */
  labels?: string[] | null;
  /** 1 to 50 characters. */
  parentTaskId?: string | null;
  /** The task comes right after this one in its column; null: first. Without it, a task that changes its status becomes the last of its new column. 1 to 50 characters. */
  afterTaskId?: string | null;
  /** The version that the change is based on. Default: the current one. */
  version?: number | null;
  /** 1 to 50 characters. */
  taskId: string;
  /** True archives the task, after its other changes; false restores it first. */
  archived?: boolean | null;
}

export interface TaskList {
  items: Task[];
  total: number;
}

export interface TaskPage {
  items: Task[];
  /** The number of items on all pages. */
  total: number;
  page: number;
  limit: number;
}

export interface TaskRun {
  /** The request, in the task's session. */
  messageId: string;
  /** The name that the request mentions. */
  agent: string;
  status: 'RUNNING' | 'COMPLETED' | 'FAILED' | 'STOPPED';
  /** ISO 8601. */
  startedAt: string;
}

export interface TaskView {
  id: string;
  /** Null: all Projects of the person. */
  projectId: string | null;
  name: string;
  /** A board shows one Project. */
  layout: 'BOARD' | 'LIST';
  filters: TaskViewFilters;
  sort: 'rank' | 'dueOn' | 'priority' | 'updatedAt';
  /** The headings of a list. */
  groupBy: 'NONE' | 'STATUS' | 'ASSIGNEE' | 'PRIORITY' | 'DUE';
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  updatedAt: string;
}

export interface TaskViewFilters {
  /** Without it, the view shows what is not DONE or CANCELLED. Up to 6 items. */
  status?: ('PROPOSED' | 'TODO' | 'IN_PROGRESS' | 'IN_REVIEW' | 'DONE' | 'CANCELLED')[];
  /** People's ids, `me`, agents as `@slug`, or `none`. */
  assignee?: string[];
  /** Up to 5 items. */
  priority?: ('NONE' | 'LOW' | 'MEDIUM' | 'HIGH' | 'URGENT')[];
  /** Up to 4 items. */
  run?: ('RUNNING' | 'COMPLETED' | 'FAILED' | 'STOPPED')[];
  label?: string;
  /** Until yesterday, today, or 7 or 30 days from now, on the day it is looked at. */
  due?: 'OVERDUE' | 'TODAY' | 'WEEK' | 'MONTH';
  query?: string;
}

export interface TaskViewList {
  items: TaskView[];
  total: number;
}

export interface TestModelProvider {
  /** Default: the first of its models. If it has none, it is asked which models it offers. */
  model?: string | null;
}

export interface Thread {
  /** The first message's. */
  id: string;
  /** The message that was replied to. */
  parent: Message;
  session: {
    id: string;
    name: string;
    title: string | null;
  };
  project: {
    id: string;
    slug: string;
    name: string;
  };
  /** The number of unread replies by others. 100 means 100 or more. */
  unreadCount: number;
  /** ISO 8601. */
  lastReplyAt: string;
}

export interface ThreadPage {
  items: Thread[];
  /** The number of items on all pages. */
  total: number;
  page: number;
  limit: number;
}

export interface ToolCall {
  /** The MCP server's mentionSlug, or the agent's own slug for a built-in tool. */
  server: string;
  name: string;
  /** As the model sent them. Long arguments are truncated and returned as text. */
  arguments: unknown;
  /** What the tool returned, truncated if it is long. */
  result: string;
  isError: boolean;
  latencyMs: number;
}

/** Either a pack or a number of credits. */
export type Topup =
  | {
      pack: 'small' | 'medium' | 'large';
    }
  | {
      /** From 100 to 250000. */
      credits: number;
    };

export interface UpdateAgent {
  slug?: string | null;
  /** 1 to 120 characters. */
  name?: string | null;
  /** Up to 2000 characters. */
  description?: string | null;
  /** Up to 8000 characters. */
  instructions?: string | null;
  model?: string | null;
  /** Up to 8 items. */
  tools?:
    | (
        | 'search_memory'
        | 'search_messages'
        | 'search_documents'
        | 'read_document'
        | 'remember'
        | 'list_tasks'
        | 'create_task'
        | 'update_task'
      )[]
    | null;
  /** Up to 20 items of up to 50 characters. */
  mcpServerIds?: string[] | null;
  /** Up to 200 items of up to 50 characters. */
  projectIds?: string[] | null;
  isEnabled?: boolean | null;
}

export interface UpdateChannelConnection {
  /** 1 to 120 characters. */
  displayName?: string | null;
  /** 1 to 1000 characters. */
  botToken?: string | null;
  /** 1 to 1000 characters. */
  appToken?: string | null;
  /** 1 to 1000 characters. */
  signingSecret?: string | null;
  trustsEmails?: boolean | null;
}

export interface UpdateChannelMapping {
  direction?: 'BOTH' | 'IN' | 'OUT' | null;
  answers?: 'MEMBERS' | 'EVERYONE' | 'NONE' | null;
  /** Only an OWNER or ADMIN can set it. */
  sharesOrgMemory?: boolean | null;
  /** While it is PAUSED, no messages are exchanged, and none are caught up later. ACTIVE also retries a BROKEN one. If it broke because the channel became private, only an OWNER or ADMIN can set ACTIVE. */
  status?: 'ACTIVE' | 'PAUSED' | null;
}

export interface UpdateFile {
  /** 1 to 255 characters. */
  name?: string | null;
  /** True: every member of the Project may read it. False: only those who may read something it is attached to. */
  isShared?: boolean | null;
}

export interface UpdateMe {
  /** The same in every organisation. 1 to 120 characters. */
  name?: string | null;
  /** The name by which others mention you in this organisation. */
  handle?: string | null;
  /** What you are emailed about in this organisation, if it stays unread. */
  emailNotifications?: 'ALL' | 'MENTIONS' | 'NONE' | null;
  /** What you do in this organisation. 1 to 120 characters. */
  title?: string | null;
  /** What you are doing, shown in this organisation until it ends. Null ends it. */
  status?: StatusInput | null;
  /** Where you are: others see your local time. The same in every organisation. 1 to 64 characters. */
  timeZone?: string | null;
  /** A JPEG, PNG or WebP of at most 256 kB, square, 32 to 256 pixels wide, in base64. What it says about itself, such as where it was taken, is not kept. The same in every organisation. Up to 349528 characters. */
  photo?: string | null;
}

export interface UpdateMemory {
  /** 1 to 10000 characters. */
  content?: string | null;
  visibility?: Visibility | null;
  /** 1 to 50 characters. */
  projectId?: string | null;
  /** Up to 20 items of up to 50 characters. */
  tags?: string[] | null;
  /** 1 to 2048 characters. */
  sourceUrl?: string | null;
}

export interface UpdateMessage {
  /** It may be empty if the message has files. Up to 20000 characters. */
  body?: string | null;
  /** True removes the previews of links, and makes no more. False makes them again, like a new message. */
  hidePreviews?: boolean | null;
}

export interface UpdateModelProvider {
  /** 1 to 120 characters. */
  name?: string | null;
  /** If it is on another host, the key has to be given again. 1 to 2048 characters. */
  baseUrl?: string | null;
  /** Null removes it. 1 to 1000 characters. */
  apiKey?: string | null;
  isEnabled?: boolean | null;
  /** All of them: those that are missing are removed. Up to 50 items. */
  models?: ChosenModel[] | null;
}

export interface UpdateOrg {
  /** 1 to 120 characters. */
  name?: string | null;
  /** False: from now on, messages get no previews of links. */
  linkPreviews?: boolean | null;
}

export interface UpdateProject {
  /** Renaming does not change the slug. 1 to 120 characters. */
  name?: string | null;
  /** Up to 2000 characters. */
  description?: string | null;
  /** Up to 20 items of up to 50 characters. */
  tags?: string[] | null;
  access?: 'ORG' | 'MEMBERS' | null;
  defaultAgent?: string | null;
  broadcasts?: 'EVERYONE' | 'ADMINS' | 'NOBODY' | null;
}

export interface UpdateReminder {
  /** In the future, at most two years ahead. ISO 8601. */
  at?: string | null;
  /** Only for a reminder in your own words. 1 to 500 characters. */
  text?: string | null;
}

export interface UpdateScheduledMessage {
  /** It may be empty if there are files. Up to 20000 characters. */
  body?: string | null;
  /** In place of its files until now. Up to 10 items of up to 50 characters. */
  fileIds?: string[] | null;
  /** In the future, at most 120 days ahead. ISO 8601. */
  sendAt?: string | null;
}

export interface UpdateSession {
  /** 1 to 200 characters. */
  title?: string | null;
  model?: string | null;
  /** Replaces the list. A private session keeps at least one participant. Up to 200 items of up to 50 characters. */
  participantUserIds?: string[] | null;
  answersWithoutMention?: boolean | null;
  /** Only for the session's creator, an OWNER or an ADMIN. */
  isForEveryone?: boolean | null;
}

export interface UpdateTask {
  /** 1 to 200 characters. */
  title?: string | null;
  /** Up to 20000 characters. */
  description?: string | null;
  status?: 'PROPOSED' | 'TODO' | 'IN_PROGRESS' | 'IN_REVIEW' | 'DONE' | 'CANCELLED' | null;
  priority?: 'NONE' | 'LOW' | 'MEDIUM' | 'HIGH' | 'URGENT' | null;
  /** A member of the Project, in place of the present assignee. 1 to 50 characters. */
  assigneeUserId?: string | null;
  /** A model or an agent of the Project, in place of the present assignee. */
  assigneeAgent?: string | null;
  /** `YYYY-MM-DD`. */
  dueOn?: string | null;
  /** Up to 20 items of up to 50 characters. */
  labels?: string[] | null;
  /** 1 to 50 characters. */
  parentTaskId?: string | null;
  /** The task comes right after this one in its column; null: first. Without it, a task that changes its status becomes the last of its new column. 1 to 50 characters. */
  afterTaskId?: string | null;
  /** The version that the change is based on. Default: the current one. */
  version?: number | null;
}

export interface UpdateTaskView {
  /** 1 to 120 characters. */
  name?: string | null;
  layout?: 'BOARD' | 'LIST' | null;
  /** In place of all present ones. */
  filters?: NewTaskViewFilters | null;
  sort?: 'rank' | 'dueOn' | 'priority' | 'updatedAt' | null;
  groupBy?: 'NONE' | 'STATUS' | 'ASSIGNEE' | 'PRIORITY' | 'DUE' | null;
  /** The view comes right after this one; null: first. 1 to 50 characters. */
  afterViewId?: string | null;
}

export interface UpdateTasks {
  /** Up to 100 items. */
  changes: TaskChange[];
}

export interface UpdatedTask {
  taskId: string;
  /** As it is now. Null if it was refused. */
  task: Task | null;
  /** The task that it came after in its column before the change; null if it was the first. To undo a move. */
  wasAfterTaskId: string | null;
  /** What the same change of this task alone would have been answered. */
  error: {
    code: string;
    message: string;
    details: Record<string, unknown>;
  } | null;
}

export interface UpdatedTaskList {
  items: UpdatedTask[];
  total: number;
}

export interface Usage {
  /** In UTC. `YYYY-MM-DD`. */
  day: string;
  model: string;
  /** The person who asked. */
  userId: string;
  replies: number;
  inputTokens: number;
  outputTokens: number;
  credits: number;
}

export interface UsageList {
  items: Usage[];
  total: number;
}

/** Who can see it. PRIVATE: its owner only. PROJECT: the Project's members. ORG: everyone in the organisation. */
export type Visibility = 'PRIVATE' | 'PROJECT' | 'ORG';
