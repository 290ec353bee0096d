import type { EncodedQuery, Priority } from '../text-encoder.ts';

/** The thread's start data. */
export interface ThreadData {
  /** The native module to try first. */
  addon: string;
  /** The memory of the exit gate. */
  gate: SharedArrayBuffer;
}

export interface EncodeRequest {
  kind: 'encode';
  /** Orgs take turns. */
  orgId: string;
  texts: readonly string[];
  priority: Priority;
  /** Vectors come from a service. An engine without token vectors then has nothing to do. */
  isForTokens: boolean;
  /** Re-ranking will follow. */
  isReranked?: boolean;
}

export interface RerankRequest {
  kind: 'rerank';
  orgId: string;
  query: Uint8Array;
  weights: Float32Array;
  memories: (Uint8Array | null)[];
}

export type Request = EncodeRequest | RerankRequest;

export type ToThread =
  | { kind: 'request'; id: number; request: Request }
  | { kind: 'cancel'; id: number }
  | { kind: 'close' };

/** The results of the two kinds of requests, one entry per text or memory. */
export type Encoded = EncodedQuery[];
export type Scores = (number | null)[];

export type FromThread =
  | { kind: 'ready'; engine: string; problem?: string }
  | { kind: 'unloadable'; problem: string }
  | { kind: 'done'; id: number; result: Encoded | Scores }
  | { kind: 'failed'; id: number; problem: string };
