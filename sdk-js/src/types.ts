// Generated from openapi/*.json by scripts/generate.ts. Change the API, not this file.
/* oxlint-disable max-lines */

export interface AcceptedInvitation {
  userId: string;
  email: string;
  name: string;
  role: 'OWNER' | 'ADMIN' | 'MEMBER';
  /** ISO 8601. */
  joinedAt: string;
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

export interface AuditEntry {
  id: string;
  /** What happened, such as `project.created` or `member.removed`. */
  action: string;
  resourceType: string;
  resourceId: string;
  /** The name that it has now. Null if it has none, no longer exists, or the caller cannot see it. */
  resourceName: string | null;
  /** `user`, `org-key` or `system`. */
  actorKind: string;
  actorUserId: string | null;
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

export interface ChangeRole {
  role: 'OWNER' | 'ADMIN' | 'MEMBER';
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
  /** Up to 2 items. */
  tools?: ('search_memory' | 'remember')[] | null;
  /** Up to 20 items of up to 50 characters. */
  mcpServerIds?: string[] | null;
  /** Up to 200 items of up to 50 characters. */
  projectIds?: string[] | null;
  isEnabled?: boolean | null;
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
  /** Markdown. `@model`, or a slug from `GET /models`, makes that model reply. `mentions` lists every mention. 1 to 20000 characters. */
  body: string;
  /** Posts the message as a reply in the thread of this top-level message. 1 to 50 characters. */
  parentMessageId?: string | null;
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
}

export interface CreateReaction {
  /** One of 👍 👎 😄 😕 ❤️ 🎉 🚀 👀 ✅ 1 to 32 characters. */
  emoji: string;
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
  defaultAgent?: string | null;
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

export interface DeleteAccount {
  /** Not needed within 10 minutes of signing in with an email link. 1 to 1000 characters. */
  currentPassword?: string | null;
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
  /** The number of memories per page. Default: 20. From 1 to 100. */
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
  /** How many messages. Default: 50. From 1 to 100. */
  limit?: number;
}

/** The query of "List Projects". */
export interface ListProjectsParams {
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

/** The query of "List usage". */
export interface ListUsageParams {
  /** The first day. Default: 29 days before `to`. `YYYY-MM-DD`. */
  from?: string;
  /** The last day. Default: today. `YYYY-MM-DD`. */
  to?: string;
}

export interface MarkRead {
  /** The last message that the caller has read. 1 to 50 characters. */
  messageId: string;
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
  role: 'OWNER' | 'ADMIN' | 'MEMBER';
  /** ISO 8601. */
  joinedAt: string;
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
  citations: {
    memoryId: string;
  }[];
  /** The calls to tools that an AGENT message is based on. */
  toolCalls: ToolCall[];
  /** The mentions that are still being answered. Each entry is written with the message and removed in the commit that adds its reply. A retry adds it again. */
  pendingReplies: PendingReply[];
  reactions: {
    emoji: string;
    count: number;
    userIds: string[];
  }[];
  replyCount: number;
  /** The tokens, credits and time that an AGENT message took; null for other messages. */
  usage: {
    inputTokens: number;
    outputTokens: number;
    credits: number;
    latencyMs: number;
  } | null;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  editedAt: string | null;
  /** ISO 8601. */
  deletedAt: string | null;
}

export interface MessageList {
  items: Message[];
  /** The number of messages in the session, or in the thread. */
  total: number;
  /** Send it as `before` to get the next, older messages. */
  nextBefore: string | null;
  hasMore: boolean;
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
  creditsPer1kTokens: number;
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

/** The organisation. */
export interface OrgDetails {
  id: string;
  name: string;
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

export interface PendingReply {
  /** The slug, as in `mentions`. */
  mention: string;
  /** When the reply was asked for: with the message, or with the latest retry. ISO 8601. */
  startedAt: string;
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
  /** Who answers `@model` in sessions that name nobody themselves. */
  defaultAgent: string | null;
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

export interface Session {
  id: string;
  projectId: string;
  name: string;
  title: string | null;
  description: string | null;
  defaultAgent: string | null;
  model: string | null;
  /** PROJECT: every member of the Project can read and write. PARTICIPANTS: only the participants can, and for everyone else, OWNERs and ADMINs included, the session does not exist. */
  access: 'PROJECT' | 'PARTICIPANTS';
  /** Whoever posts becomes a participant. Whoever leaves the Project is removed. */
  participantUserIds: string[];
  status: 'ACTIVE' | 'ARCHIVED';
  /** ISO 8601. */
  lastMessageAt: string | null;
  /** The number of messages by others after the caller's read mark. 100 means 100 or more. */
  unreadCount: number;
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
  /** PROJECT: every member of the Project can read and write. PARTICIPANTS: only the participants can, and for everyone else, OWNERs and ADMINs included, the session does not exist. */
  access: 'PROJECT' | 'PARTICIPANTS';
  /** Whoever posts becomes a participant. Whoever leaves the Project is removed. */
  participantUserIds: string[];
  status: 'ACTIVE' | 'ARCHIVED';
  /** ISO 8601. */
  lastMessageAt: string | null;
  /** The number of messages by others after the caller's read mark. 100 means 100 or more. */
  unreadCount: number;
  createdById: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  updatedAt: string;
  /** ISO 8601. */
  archivedAt: string | null;
  /** The slug of who answers `@model` here: the session's `model`, its `defaultAgent`, the Project's, or the server's default. */
  answersAs: string;
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

export interface SessionSummary {
  text: string;
  /** The last message that it covers. */
  untilMessageId: string;
  /** ISO 8601. */
  updatedAt: string;
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
  /** Up to 2 items. */
  tools?: ('search_memory' | 'remember')[] | null;
  /** Up to 20 items of up to 50 characters. */
  mcpServerIds?: string[] | null;
  /** Up to 200 items of up to 50 characters. */
  projectIds?: string[] | null;
  isEnabled?: boolean | null;
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
  /** 1 to 20000 characters. */
  body?: string | null;
}

export interface UpdateOrg {
  /** 1 to 120 characters. */
  name?: string | null;
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
}

export interface UpdateSession {
  /** 1 to 200 characters. */
  title?: string | null;
  model?: string | null;
  /** Replaces the list. A private session keeps at least one participant. Up to 200 items of up to 50 characters. */
  participantUserIds?: string[] | null;
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
