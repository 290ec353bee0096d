import type { Database, OuterTransaction, Queryable } from '../../db/types.ts';
import type { AppError } from '../../core/errors.ts';
import type { HttpResponse } from '../output/envelope.ts';
import type { Room } from './room.ts';
import type { Scope } from './store.ts';

export interface IdempotentRequest {
  scope: Scope;
  bodyHash: Buffer;
  /** The caller's plaintext secret, which seals the stored response. */
  secret: string;
  /** The key or the web session. What is kept for replays is bounded for each. */
  callerId: string;
  /** True if the request changes nothing. It can be run again, so its response need not be kept. */
  isRead: boolean;
}

export interface Work {
  /** Checks the caller's rights for this transaction, before the handler runs in it. */
  enter(tx: OuterTransaction): Promise<void>;
  /** Runs the handler in the given transaction. Throws an AppError to refuse. */
  run(db: Queryable, outcome: unknown): Promise<HttpResponse>;
  /** Calls an outside service, for routes that do so. No transaction is open. */
  callOut?: (providerKey: string) => Promise<unknown>;
  /** Work that is too slow for a transaction, for routes that have some. */
  prepare?: () => Promise<unknown>;
  /** Turns an AppError into a response, so that it can be stored. */
  refuse(error: AppError): HttpResponse;
}

export interface Outcome {
  /** Undefined if the request was run, but its response is no longer kept. */
  response: HttpResponse | undefined;
  replayed: boolean;
}

/** The database, and what is left of each caller's share of it. */
export interface Stores {
  db: Database;
  room: Room;
}
