import type { EncodedQuery, Priority } from '../text-encoder.ts';

/** What the thread is started with. */
export interface ThreadData {
  /** The module to try first. */
  addon: string;
  /** Of the exit gate. */
  gate: SharedArrayBuffer;
}

export interface EncodeRequest {
  kind: 'encode';
  /** Whose turn it takes. */
  orgId: string;
  texts: readonly string[];
  priority: Priority;
  /** The vectors come from elsewhere: an engine without token vectors has nothing to do. */
  isForTokens: boolean;
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

/** Per text; for each request of its kind. */
export type Encoded = EncodedQuery[];
export type Scores = (number | null)[];

export type FromThread =
  | { kind: 'ready'; engine: string; problem?: string }
  | { kind: 'unloadable'; problem: string }
  | { kind: 'done'; id: number; result: Encoded | Scores }
  | { kind: 'failed'; id: number; problem: string };
