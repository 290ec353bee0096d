import type { Logger } from 'pino';
import type { TextEncoder } from './adapters/embeddings/text-encoder.ts';
import type { McpClients } from './adapters/mcp/mcp-client.ts';
import type { ModelRegistry } from './adapters/models/model.ts';
import type { Payments } from './adapters/payments/payments.ts';
import type { RateLimiter } from './adapters/rate-limiter/limiter.ts';
import type { Vault } from './adapters/secrets/vault.ts';
import type { Hints } from './bus/hints.ts';
import type { Queryable, Transaction } from './db/types.ts';
import type { JobQueue } from './jobs/queue.ts';
import type { Site } from './site.ts';

export const ROLES = ['OWNER', 'ADMIN', 'MEMBER'] as const;
export type Role = (typeof ROLES)[number];

/** A person, with a v2 key or in the browser. What is here was read from the database for this very request. */
export interface PersonActor {
  kind: 'user';
  userId: string;
  email: string;
  /** Null for somebody who is in no org, or has none chosen. */
  role: Role | null;
  /** Null in the browser. */
  keyId: string | null;
  /** Null with a key. */
  webSessionId: string | null;
  scopes: ReadonlySet<string>;
}

/** A person in an org: what all but a few routes ask for. */
export interface UserActor extends PersonActor {
  role: Role;
}

/** A v1 key: it stands for the org and has no person behind it. */
export interface OrgKeyActor {
  kind: 'org-key';
  keyId: string;
  scopes: ReadonlySet<string>;
}

/** The process itself: the command line, jobs, the first start. */
export interface SystemActor {
  kind: 'system';
}

/** Somebody in the browser who has not signed in. */
export interface VisitorActor {
  kind: 'visitor';
}

export type Actor = UserActor | OrgKeyActor | SystemActor;
export type AnyActor = Actor | PersonActor | VisitorActor;

/** Makes tokens that can be made again, so that only their hashes are stored. */
export interface Tokens {
  derive(purpose: string, ...parts: string[]): string;
  /** The one that was stored as `hash`: it may have been derived under a key that was rotated since. */
  rederive(hash: Buffer, purpose: string, ...parts: string[]): string;
  /** Under every key, the current one first. */
  deriveAll(purpose: string, ...parts: string[]): readonly [string, ...string[]];
}

export interface Clock {
  now(): Date;
}

/** What services use besides the database. Made once per process, by create-dependencies.ts. */
export interface Dependencies {
  jobs: JobQueue;
  hints: Hints;
  tokens: Tokens;
  encoder: TextEncoder;
  models: ModelRegistry;
  mcp: McpClients;
  vault: Vault;
  /** Undefined where nothing can be paid: in production without STRIPE_SECRET_KEY. */
  payments: Payments | undefined;
  site: Site;
}

/** What every service gets: on whose behalf it works, in which org, and through which connection. */
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

export type UserContext = Context<UserActor>;
/** Of the few operations that somebody without an org may call. */
export type PersonContext = Context<PersonActor, string | null>;

/** What the routes of the browser get besides: `/web`. */
export interface WebContext<A extends AnyActor = PersonActor | VisitorActor> extends Context<
  A,
  string | null
> {
  /** `network` is what a client is counted by. */
  client: { network: string; userAgent: string };
  limiter: RateLimiter;
  settings: WebSettings;
  /** What the browser keeps from the answer on; nothing changes if the request fails. */
  cookie: { set(token: string): void; renew(): void; clear(): void };
  /** Which browser this is, whoever is signed in: it keeps `token` after signing out. */
  device: { token: string | undefined; remember(token: string): void };
}

export interface WebSettings {
  /** Who gets an account: those who are invited, or everybody who asks. */
  signup: 'invite' | 'open';
  /** How many links, and how many wrong passwords, a client may try in 15 minutes; for one address a quarter. */
  signInAttempts: number;
}

/** Runs `work` in a transaction, joining the one that is already open (an idempotent POST has one). */
export function withTransaction<C extends { db: Queryable }, T>(
  ctx: C,
  work: (ctx: Omit<C, 'db'> & { db: Transaction }) => Promise<T>,
): Promise<T> {
  return ctx.db.transaction((tx) => work({ ...ctx, db: tx }));
}
