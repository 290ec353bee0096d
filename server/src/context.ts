import type { Logger } from 'pino';
import type { TextEncoder } from './adapters/embeddings/text-encoder.ts';
import type { McpClients } from './adapters/mcp/mcp-client.ts';
import type { ModelRegistry } from './adapters/models/model.ts';
import type { Payments } from './adapters/payments/payments.ts';
import type { Vault } from './adapters/secrets/vault.ts';
import type { Queryable, Transaction } from './db/database.ts';
import type { JobQueue } from './jobs/queue.ts';
import type { Site } from './site.ts';

export const ROLES = ['OWNER', 'ADMIN', 'MEMBER'] as const;
export type Role = (typeof ROLES)[number];

/** A person calling with a v2 key. Role and scopes were read from the database for this very request. */
export interface UserActor {
  kind: 'user';
  userId: string;
  email: string;
  role: Role;
  keyId: string;
  scopes: ReadonlySet<string>;
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

export type Actor = UserActor | OrgKeyActor | SystemActor;

/** Makes tokens that can be made again, so that only their hashes are stored. */
export interface Tokens {
  derive(purpose: string, ...parts: string[]): string;
}

export interface Clock {
  now(): Date;
}

/** Ways to the outside, made once for the process; create-adapters.ts makes the real ones. */
export interface Adapters {
  jobs: JobQueue;
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
export interface Context<A extends Actor = Actor> extends Adapters {
  requestId: string;
  orgId: string;
  actor: A;
  db: Queryable;
  clock: Clock;
  log: Logger;
}

export type UserContext = Context<UserActor>;

/** Runs `work` in a transaction, joining the one that is already open (an idempotent POST has one). */
export function withTransaction<C extends { db: Queryable }, T>(
  ctx: C,
  work: (ctx: Omit<C, 'db'> & { db: Transaction }) => Promise<T>,
): Promise<T> {
  return ctx.db.transaction((tx) => work({ ...ctx, db: tx }));
}
