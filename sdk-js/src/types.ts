// Generated from openapi/*.json by scripts/generate.ts: change the API, not this file.
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

export interface AuditEntry {
  id: string;
  /** What was done: `project.created`, `member.removed`… */
  action: string;
  resourceType: string;
  resourceId: string;
  /** `user`, `org-key` or `system`. */
  actorKind: string;
  actorUserId: string | null;
  /** The key it was done with. */
  keyId: string | null;
  requestId: string;
  details: Record<string, unknown>;
  /** ISO 8601. */
  createdAt: string;
}

export interface AuditPage {
  items: AuditEntry[];
  /** How many there are on all pages. */
  total: number;
  page: number;
  limit: number;
}

export interface BindMcpServer {
  /** Up to 200 of up to 50 characters. */
  projectIds: string[];
}

export interface ChangeRole {
  role: 'OWNER' | 'ADMIN' | 'MEMBER';
}

export interface Checkout {
  plan: 'pro' | 'team' | 'enterprise';
  /** monthly where left out. */
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

export interface CreateInvitation {
  /** Up to 254 characters. */
  email: string;
  role: 'ADMIN' | 'MEMBER';
}

export interface CreateKey {
  /** A label that lists show. 1 to 120 characters. */
  name: string;
  /** Up to 100. */
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
  )[];
}

export interface CreateMcpServer {
  /** 1 to 120 characters. */
  displayName: string;
  /** Unique in the organisation, and different from every model's slug. */
  mentionSlug: string;
  /** Its Streamable HTTP endpoint: HTTPS, at a public address. 1 to 2048 characters. */
  endpointUrl: string;
  authType: 'NONE' | 'BEARER' | 'API_KEY';
  /**
   * For BEARER, the token. For API_KEY, `HeaderName:value`. Stored encrypted and never returned. 1
   * to 4096 characters.
   */
  secret?: string | null;
}

export interface CreateMemory {
  /** 1 to 10000 characters. */
  content: string;
  visibility: Visibility;
  /** Required when visibility is PROJECT. 1 to 50 characters. */
  projectId?: string | null;
  /** Up to 20 of up to 50 characters. */
  tags?: string[] | null;
  /** 1 to 2048 characters. */
  sourceUrl?: string | null;
}

export interface CreateMessage {
  /**
   * Markdown. `@model`, or a slug from `GET /models`, makes that model reply. `mentions` lists
   * every mention. 1 to 20000 characters.
   */
  body: string;
  /** Posts the message as a reply in the thread of this top-level message. 1 to 50 characters. */
  parentMessageId?: string | null;
}

export interface CreateOrg {
  /** 1 to 120 characters. */
  name: string;
}

export interface CreateOrgKey {
  /** A label that lists show. 1 to 120 characters. */
  name: string;
  /** Both, where left out. Up to 100. */
  scopes?: ('memory:read' | 'memory:write')[] | null;
}

export interface CreateProject {
  /** 1 to 120 characters. */
  name: string;
  /** Up to 2000 characters. */
  description?: string | null;
  /** Up to 20 of up to 50 characters. */
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
  /** Up to 200 of up to 50 characters. */
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
  /** Noted at most once a minute. ISO 8601. */
  lastUsedAt: string | null;
  /** Set when the key was rotated. ISO 8601. */
  expiresAt: string | null;
  /** ISO 8601. */
  revokedAt: string | null;
  /** The key itself. Shown this once. */
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
  /** Noted at most once a minute. ISO 8601. */
  lastUsedAt: string | null;
  /** Set when the key was rotated. ISO 8601. */
  expiresAt: string | null;
  /** ISO 8601. */
  revokedAt: string | null;
  /** The key itself, beginning `sk_live_`. Shown this once. */
  key: string;
}

export interface Credits {
  /** The ledger's sum. A refund may take it below zero. */
  balance: number;
  /** Held for answers under way. */
  reserved: number;
  /** What is left of the plan's credits; spent first. */
  included: number;
  /** Bought credits; they never lapse. */
  topup: number;
  plan: 'free' | 'pro' | 'team' | 'enterprise';
  /** When the included credits are renewed; null if none are due. ISO 8601. */
  renewsAt: string | null;
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
      /** With CONFLICT and FORBIDDEN: a stable word for programs. */
      reason?: string;
      errors?: FieldError[];
    };
  };
  metadata: Metadata;
}

export interface FieldError {
  /** Where: `body.tags[0]`, `query.limit`. */
  location: string;
  /** What is wrong, for programs. */
  code: string;
  /** What is wrong, for people. */
  message: string;
}

export interface HostedPage {
  /** Send the person there. */
  url: string;
  /** The provider's id of the page. */
  id: string;
}

/** The token is in the mail, and nowhere else. */
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

export interface InvitationList {
  items: Invitation[];
  total: number;
}

/** A v2 key of one person in one org. */
export interface Key {
  id: string;
  name: string;
  /** The first characters of the secret, to tell keys apart. */
  prefix: string;
  scopes: string[];
  /** ISO 8601. */
  createdAt: string;
  /** Noted at most once a minute. ISO 8601. */
  lastUsedAt: string | null;
  /** Set when the key was rotated. ISO 8601. */
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
  /** Signed: what was spent, lapsed or taken back is below zero. */
  credits: number;
  /** What it comes from; each source counts once. */
  source: string;
  messageId: string | null;
  /** ISO 8601. */
  createdAt: string;
}

export interface LedgerPage {
  items: LedgerEntry[];
  /** How many there are on all pages. */
  total: number;
  page: number;
  limit: number;
}

/** The query of "Read the audit log". */
export interface ListAuditParams {
  /** Which page, from 1. 1 where left out. */
  page?: number;
  /** How many items a page has. 20 where left out. From 1 to 100. */
  limit?: number;
}

/** The query of "List ledger entries". */
export interface ListLedgerParams {
  /** Which page, from 1. 1 where left out. */
  page?: number;
  /** How many items a page has. 20 where left out. From 1 to 100. */
  limit?: number;
}

/** The query of "List memories". */
export interface ListMemoriesParams {
  visibility?: Visibility;
  /** Only memories with this Project. */
  projectId?: string;
  /** Only memories with this tag. 1 to 50 characters. */
  tag?: string;
  /** Only memories older than this one, by its id: the `nextBefore` of the last page. */
  before?: string;
  /** How many memories a page has. 20 where left out. From 1 to 100. */
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
  /** How many messages. 50 where left out. From 1 to 100. */
  limit?: number;
}

/** The query of "List Projects". */
export interface ListProjectsParams {
  /** Which page, from 1. 1 where left out. */
  page?: number;
  /** How many items a page has. 20 where left out. From 1 to 100. */
  limit?: number;
}

/** The query of "List sessions". */
export interface ListSessionsParams {
  /** Which page, from 1. 1 where left out. */
  page?: number;
  /** How many items a page has. 20 where left out. From 1 to 100. */
  limit?: number;
  /** ARCHIVED lists archived sessions instead. Default: ACTIVE. */
  status?: 'ACTIVE' | 'ARCHIVED';
}

/** The query of "List usage". */
export interface ListUsageParams {
  /** The first day; 29 days before `to` where left out. `YYYY-MM-DD`. */
  from?: string;
  /** The last day; today where left out. `YYYY-MM-DD`. */
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
  /** The key this request came with. */
  keyId: string;
  /** What that key may be used for. */
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
  /** Whose members see it, where PROJECT; otherwise a label. */
  projectId: string | null;
  /** Null for what a v1 key wrote. */
  ownerUserId: string | null;
  tags: string[];
  sourceUrl: string | null;
  /** PENDING until the embedding model has read it; words find it all the same. */
  embeddingStatus: 'READY' | 'PENDING';
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  updatedAt: string;
}

export interface MemoryMatch {
  id: string;
  content: string;
  visibility: Visibility;
  /** Whose members see it, where PROJECT; otherwise a label. */
  projectId: string | null;
  /** Null for what a v1 key wrote. */
  ownerUserId: string | null;
  tags: string[];
  sourceUrl: string | null;
  /** PENDING until the embedding model has read it; words find it all the same. */
  embeddingStatus: 'READY' | 'PENDING';
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  updatedAt: string;
  /**
   * The final score; the list is in its order, and it means the same in every search. From 0 to 1.
   */
  score: number;
  scores: {
    /** From 0 to 1. */
    vector: number | null;
    /** The share of the query's words, weighed by rarity, that it has. From 0 to 1. */
    lexical: number;
    /** From 0 to 1. */
    rerank: number | null;
  };
}

export interface MemoryMatches {
  items: MemoryMatch[];
  total: number;
  /** True when the embedding model was out of reach, so that only words were compared. */
  degraded: boolean;
}

export interface MemoryPage {
  items: Memory[];
  /** The `before` of the next page. */
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
  status: 'COMPLETED' | 'FAILED';
  error: {
    code: string;
    message: string;
  } | null;
  citations: {
    memoryId: string;
  }[];
  /** The calls to tools of MCP servers that an AGENT message is based on. */
  toolCalls: ToolCall[];
  /**
   * The mentions that are still being answered. Each entry is written with the message and removed
   * in the commit that adds its reply. A retry adds it again.
   */
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
}

export interface ModelList {
  items: Model[];
  total: number;
}

/** A v1 key: it belongs to the org. */
export interface OrgKey {
  id: string;
  name: string;
  /** The first characters of the secret, to tell keys apart. */
  prefix: string;
  scopes: string[];
  /** ISO 8601. */
  createdAt: string;
  /** Noted at most once a minute. ISO 8601. */
  lastUsedAt: string | null;
  /** Set when the key was rotated. ISO 8601. */
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
  /**
   * ORG: every member of the organisation belongs to the Project. MEMBERS: only its creator,
   * OWNERs, ADMINs and the people added to it.
   */
  access: 'ORG' | 'MEMBERS';
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
  /** How many there are on all pages. */
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
  /**
   * How long the old key goes on working; 0 where left out. A key that rotates itself keeps at
   * least 60 seconds. From 0 to 604800.
   */
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
  /** The key itself. Shown this once. */
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
  /** The key itself, beginning `sk_live_`. Shown this once. */
  key: string;
}

export interface SearchMemories {
  /** 1 to 2000 characters. */
  query: string;
  /** Only memories with this Project. 1 to 50 characters. */
  projectId?: string | null;
  /** From 1 to 100. */
  limit?: number | null;
  visibility?: Visibility | null;
  /** Only memories that have all of these. Up to 20 of up to 50 characters. */
  tags?: string[] | null;
  /** Only matches with at least this score. From 0 to 1. */
  threshold?: number | null;
  /** Only memories of this time or later. ISO 8601. */
  createdAfter?: string | null;
  /** Only memories from before this time. ISO 8601. */
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
  /** For information only: every Project member can read and write. */
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

export interface SessionPage {
  items: Session[];
  /** How many there are on all pages. */
  total: number;
  page: number;
  limit: number;
}

export interface ToolCall {
  /** The MCP server's mentionSlug. */
  server: string;
  name: string;
  /** As the model sent them. Long arguments are truncated and returned as text. */
  arguments: unknown;
  /** What the tool returned, truncated if it is long. */
  result: string;
  isError: boolean;
  latencyMs: number;
}

/** Exactly one of a pack and a number of credits. */
export type Topup =
  | {
      pack: 'small' | 'medium' | 'large';
    }
  | {
      /** From 100 to 250000. */
      credits: number;
    };

export interface UpdateMemory {
  /** 1 to 10000 characters. */
  content?: string | null;
  visibility?: Visibility | null;
  /** 1 to 50 characters. */
  projectId?: string | null;
  /** Up to 20 of up to 50 characters. */
  tags?: string[] | null;
  /** 1 to 2048 characters. */
  sourceUrl?: string | null;
}

export interface UpdateMessage {
  /** 1 to 20000 characters. */
  body?: string | null;
}

export interface UpdateProject {
  /** Renaming does not change the slug. 1 to 120 characters. */
  name?: string | null;
  /** Up to 2000 characters. */
  description?: string | null;
  /** Up to 20 of up to 50 characters. */
  tags?: string[] | null;
  access?: 'ORG' | 'MEMBERS' | null;
}

export interface UpdateSession {
  /** 1 to 200 characters. */
  title?: string | null;
  model?: string | null;
}

export interface Usage {
  /** In UTC. `YYYY-MM-DD`. */
  day: string;
  model: string;
  /** Who asked. */
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

/** PRIVATE: its owner only. PROJECT: the Project's members. ORG: everybody in the org. */
export type Visibility = 'PRIVATE' | 'PROJECT' | 'ORG';
