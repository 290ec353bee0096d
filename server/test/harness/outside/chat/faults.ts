import type { IncomingMessage, ServerResponse } from 'node:http';

/** What goes wrong with one request. */
export interface Fault {
  /** 429, 500 and the like. Without it the connection is cut. */
  status?: number;
  /** Sent as Retry-After, in seconds. */
  retryAfter?: number;
  /** A refusal as Slack words it, with status 200. */
  refusal?: string;
  /** The request is carried out first, so the caller cannot know that it was. */
  isLate?: boolean;
  /** The request waits for this, and is then carried out. */
  heldUntil?: Promise<unknown>;
}

/** Called for each request, as `POST /api/v4/posts`. Undefined lets it pass. */
export type FaultScript = (request: string) => Fault | undefined;

export interface Faults {
  /** Applies to the next requests that match, then no more. */
  next(match: RegExp, fault: Fault, times?: number): void;
  /** Those of `next` that are left. */
  clear(): void;
  /** Decides about each request, after those of `next`. */
  script(script: FaultScript): void;
  of(request: IncomingMessage): Fault | undefined;
}

export function createFaults(): Faults {
  const planned: { match: RegExp; fault: Fault; times: number }[] = [];
  let current: FaultScript = () => undefined;
  return {
    next: (match, fault, times = 1) => void planned.push({ match, fault, times }),
    clear: () => void planned.splice(0),
    script(script) {
      current = script;
    },
    of({ method, url }) {
      const request = `${method} ${url}`;
      const found = planned.find(({ match, times }) => times > 0 && match.test(request));
      if (!found) return current(request);
      found.times -= 1;
      return found.fault;
    },
  };
}

/** Answers the request with what `run` returns, unless something is to go wrong with it. */
export async function answer(
  fault: Fault | undefined,
  response: ServerResponse,
  run: () => { status: number; json: unknown } | { status: number; bytes: Uint8Array },
): Promise<void> {
  await fault?.heldUntil;
  if (fault === undefined || fault.heldUntil !== undefined) {
    const found = run();
    if ('bytes' in found) {
      response.writeHead(found.status, { 'content-type': 'application/octet-stream' });
      response.end(found.bytes);
      return;
    }
    response.writeHead(found.status, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(found.json));
    return;
  }
  if (fault.isLate) run();
  if (fault.refusal !== undefined) {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify({ ok: false, error: fault.refusal }));
    return;
  }
  if (fault.status === undefined) {
    response.destroy();
    return;
  }
  const { status, retryAfter } = fault;
  response.writeHead(status, {
    'content-type': 'text/plain',
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  });
  response.end(status === 429 ? 'limit exceeded' : 'Scripted by a test');
}
