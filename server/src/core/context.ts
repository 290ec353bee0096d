import type { Logger } from 'pino';
import type { ChatGuard } from '../adapters/chat/guard.ts';
import type { TextEncoder } from '../adapters/embeddings/text-encoder.ts';
import type { FileReader } from '../adapters/file-reader/file-reader.ts';
import type { McpClients } from '../adapters/mcp/mcp-client.ts';
import type { ModelRegistry, ProviderClients } from '../adapters/models/model.ts';
import type { Payments } from '../adapters/payments/payments.ts';
import type { Reranker } from '../adapters/rerank/reranker.ts';
import type { WebPages } from '../adapters/web-pages/web-pages.ts';
import type { RateLimiter } from '../adapters/rate-limiter/limiter.ts';
import type { Scanner } from '../adapters/scan/scanner.ts';
import type { Vault } from '../adapters/secrets/vault.ts';
import type { FileStorage } from '../adapters/storage/storage.ts';
import type { Hints } from '../bus/hints.ts';
import type { PresenceBoard } from '../bus/presence-board.ts';
import type { ReplyLines } from '../bus/reply-lines.ts';
import type { Lookups } from '../db/batched-lookup.ts';
import type { Queryable, Transaction } from '../db/types.ts';
import type { AppEvent, UpcomingEvent } from '../events/list.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { Download } from '../lists/download.ts';
import type { PageCache } from '../lists/page-cache.ts';
import { forbidden } from './errors.ts';
import { ROLES, type Role } from './role.ts';
import type { Site } from './site.ts';

export { ROLES, type Role };

/** How long ago a person may have signed in, in the browser, to create keys. */
export const FRESH_MINUTES = 15;

/** A person, with a v2 key or in the browser, as read from the database for this request. */
export interface PersonActor {
  kind: 'user';
  userId: string;
  email: string;
  /** Null if the person has no org, or has not chosen one. */
  role: Role | null;
  /** Null in the browser. */
  keyId: string | null;
  /** Null with a key. */
  webSessionId: string | null;
  /** In the browser: whether they have signed in, or confirmed that it is them, recently. */
  isFresh?: boolean;
  scopes: ReadonlySet<string>;
  /** True if some session of the org answers without a mention. If none does, posts don't look. */
  hasPlainQuestions?: boolean;
}

/** A member of an org, which most routes require. */
export interface UserActor extends PersonActor {
  role: Role;
}

/** A v1 key. It belongs to the org, not to a person. */
export interface OrgKeyActor {
  kind: 'org-key';
  keyId: string;
  scopes: ReadonlySet<string>;
}

/** The server itself: the command line, jobs, the first start. */
export interface SystemActor {
  kind: 'system';
}

/** Someone in the browser who is not signed in. */
export interface VisitorActor {
  kind: 'visitor';
}

export type Actor = UserActor | OrgKeyActor | SystemActor;
export type AnyActor = Actor | PersonActor | VisitorActor;

/** Derives tokens that can be derived again, so that only their hashes are stored. */
export interface Tokens {
  derive(purpose: string, ...parts: string[]): string;
  /** The token with this `hash`, even if it was derived with a key that has since been rotated. */
  rederive(hash: Buffer, purpose: string, ...parts: string[]): string;
  /** With every key, the current one first. */
  deriveAll(purpose: string, ...parts: string[]): readonly [string, ...string[]];
}

export interface Clock {
  now(): Date;
}

/** What services use besides the database. Made once per process, by create-dependencies.ts. */
export interface Dependencies {
  jobs: JobQueue;
  events: Events;
  exports: Exports;
  hints: Hints;
  replies: ReplyLines;
  presence: PresenceBoard;
  tokens: Tokens;
  encoder: TextEncoder;
  reranker: Reranker;
  models: ModelRegistry;
  providers: ProviderClients;
  mcp: McpClients;
  chat: ChatGuard;
  /** Undefined if LINK_PREVIEWS is off. */
  webPages: WebPages | undefined;
  vault: Vault;
  storage: FileStorage;
  fileReader: FileReader;
  /** Undefined without CLAMD. */
  scanner: Scanner | undefined;
  /** How large a file, and all files of an organisation, may be. */
  fileLimits: { maxBytes: number; quotaBytes: number };
  /** Undefined if payments are off: in production without STRIPE_SECRET_KEY. */
  payments: Payments | undefined;
  site: Site;
  pages: PageCache;
  lookups: Lookups;
  /** For temporary files of any size. */
  spoolFolder: string;
}

/** What every service gets: who it works for, in which org, and with which connection. */
export interface Context<
  A extends AnyActor = Actor,
  Org extends string | null = string,
> extends Dependencies {
  requestId: string;
  orgId: Org;
  actor: A;
  db: Queryable;
  clock: Clock;
  log: Logger;
}

/** Where something happens: in which org, on whose behalf, in which transaction; and what listeners use. */
export type EventContext = Pick<
  Context<Actor | PersonActor>,
  'requestId' | 'orgId' | 'actor' | 'clock' | 'log' | 'jobs' | 'events' | 'hints' | 'presence'
> & { db: Transaction };

/** Passes on what happens to whoever listens; features use `emit` and `prepareFor` (events/emit.ts). */
export interface Events {
  emit(ctx: EventContext, event: AppEvent): void;
  prepareFor(ctx: EventContext, event: UpcomingEvent): Promise<void>;
}

/** Archives of everything that features have; app/exports.ts says of what. */
export interface Exports {
  ofOrg(ctx: UserContext): Promise<Download>;
  ofCaller(ctx: UserContext): Promise<Download>;
}

export type UserContext = Context<UserActor>;
/** For the few operations that people without an org may call. */
export type PersonContext = Context<PersonActor, string | null>;

/** What browser routes (`/web`) get in addition. */
export interface WebContext<A extends AnyActor = PersonActor | VisitorActor> extends Context<
  A,
  string | null
> {
  /** Limits count clients by `network`. */
  client: { network: string; userAgent: string };
  limiter: RateLimiter;
  settings: WebSettings;
  /** Changes the session cookie with the response; nothing changes if the request fails. */
  cookie: { set(token: string): void; renew(): void; clear(): void };
  /** Identifies the browser, whoever is signed in; it keeps `token` after signing out. */
  device: { token: string | undefined; remember(token: string): void };
}

/** The same for a person who is signed in. */
export type SignedInContext = WebContext<PersonActor>;

export interface WebSettings {
  /** Who can get an account: invited people, or everyone. */
  signup: 'invite' | 'open';
  /** How many links, and how many wrong passwords, a client may try in 15 minutes; a quarter of that per address. */
  signInAttempts: number;
  /** False without SMTP_URL: emails are written to files, for the operator to pass on. */
  sendsMail: boolean;
}

/** The caller as a member of the org that the browser names. 403 if they are not one. */
export function asMember({ orgId, actor, ...rest }: SignedInContext): UserContext {
  const { role } = actor;
  if (orgId === null || role === null) {
    throw forbidden('wrong_org', 'You are not a member of this organisation.');
  }
  return { ...rest, orgId, actor: { ...actor, role } };
}

/** Runs `work` in a transaction. Joins the open one if there is one, as in an idempotent POST. */
export function withTransaction<C extends { db: Queryable }, T>(
  ctx: C,
  work: (ctx: Omit<C, 'db'> & { db: Transaction }) => Promise<T>,
): Promise<T> {
  return ctx.db.transaction((tx) => work({ ...ctx, db: tx }));
}
