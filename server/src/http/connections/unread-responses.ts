import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from './client-network.ts';

export interface ReaderLimits {
  /** A response of which nothing is taken for this long is ended. */
  stalledMs: number;
  /** How many responses one client may leave unread; those that rest longest are ended first. */
  mostUnread: number;
  /** How much of them may wait in our memory. */
  mostUnreadBytes: number;
  /** A connection is closed if nothing follows a large response for this long. */
  restMs: number;
}

/** Longer than most proxies keep a connection to use it again: Caddy 2 minutes, others about one. */
const REST_MS = 150_000;

export const READER_LIMITS: ReaderLimits = {
  stalledMs: 30_000,
  mostUnread: 32,
  mostUnreadBytes: 32 * 1024 * 1024,
  restMs: REST_MS,
};

/** Less than this is not worth an early end: a socket's buffers hold it anyway. */
const LARGE_BYTES = 64 * 1024;

interface Exchange {
  request: FastifyRequest;
  response: ServerResponse;
  /** What was written to the connection before this response. */
  before: number;
  /** Changes whenever the kernel takes something. */
  mark: number;
  /** Since when it has not changed. */
  since: number;
}

/** An unread response of a client that is counted. */
interface Resting {
  socket: Socket;
  share: number;
}

export interface UnreadResponses {
  /** Called with every request, before anything is sent. */
  note(request: FastifyRequest, reply: FastifyReply): void;
  /** Returns how many responses were ended. Called regularly: one timer serves all connections. */
  check(): number;
}

/**
 * Finds clients that ask and do not read. What they leave unread is in our memory, and in the kernel's,
 * which takes up to a few megabytes as if they had been read. So a large response is in doubt until the
 * next request on its connection. An idle event stream has nothing to read, and stays.
 */
export function watchUnreadResponses(limits: ReaderLimits): UnreadResponses {
  const { stalledMs, mostUnread, mostUnreadBytes, restMs } = limits;
  const exchanges = new Map<Socket, Exchange>();
  const clock = createClock();

  /** How long nothing was taken, as a share of what is allowed; 0 if there is nothing to read. */
  function shareOf(socket: Socket, exchange: Exchange, now: number): number {
    const mark = markOf(socket);
    if (mark !== exchange.mark) Object.assign(exchange, { mark, since: now });
    const ms = now - exchange.since;
    if (socket.writableLength > 0) return ms / stalledMs;
    const isLarge = socket.bytesWritten - exchange.before > LARGE_BYTES;
    return isLarge && exchange.response.writableFinished ? ms / restMs : 0;
  }

  function excessOf(responses: readonly Resting[]): Socket[] {
    let count = 0;
    let bytes = 0;
    const excess = responses
      .toSorted((a, b) => a.share - b.share)
      .filter(({ socket }) => {
        count++;
        bytes += socket.writableLength;
        return count > mostUnread || (count > 1 && bytes > mostUnreadBytes);
      });
    return excess.map(({ socket }) => socket);
  }

  return {
    note(request, reply) {
      const { socket } = request.raw;
      if (!exchanges.has(socket)) socket.once('close', () => exchanges.delete(socket));
      const before = socket.bytesWritten;
      const state = { mark: markOf(socket), since: clock.now() };
      exchanges.set(socket, { request, response: reply.raw, before, ...state });
    },
    check() {
      const now = clock.tick();
      const resting = new Map<string, Resting[]>();
      const ended: Socket[] = [];
      for (const [socket, exchange] of exchanges) {
        const share = shareOf(socket, exchange, now);
        if (share >= 1) ended.push(socket);
        else if (share >= COUNTED_SHARE) {
          const client = clientOf(exchange.request);
          const others = resting.get(client) ?? [];
          resting.set(client, [...others, { socket, share }]);
        }
      }
      for (const responses of resting.values()) ended.push(...excessOf(responses));
      // Otherwise the kernel would go on offering what it has for minutes.
      for (const socket of ended) socket.resetAndDestroy();
      return ended.length;
    },
  };
}

/** More than lies between two checks of a process that runs. */
const LONGEST_STEP_MS = 2_000;

/** Stands still while this process does: after a pause of the machine, nobody has had time to read. */
function createClock() {
  let [passed, last] = [0, performance.now()];
  const now = () => passed + Math.min(performance.now() - last, LONGEST_STEP_MS);
  const tick = () => {
    [passed, last] = [now(), performance.now()];
    return passed;
  };
  return { now, tick };
}

/** After 3 s without progress, or 15 s after a large response: most readers are never counted. */
const COUNTED_SHARE = 0.1;

/** `bytesWritten` counts what waits in our memory too. Node has no public name for what libuv still holds. */
function markOf(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return socket.bytesWritten - socket.writableLength - (handle?.writeQueueSize ?? 0);
}

/** All keys of a person are one client, and all of an org's own. */
function clientOf({ caller, ip }: FastifyRequest): string {
  if (!caller) return `client:${networkOf(ip)}`;
  const { actor, orgId } = caller;
  return actor.kind === 'org-key' ? `org:${orgId}` : `person:${actor.userId}`;
}
