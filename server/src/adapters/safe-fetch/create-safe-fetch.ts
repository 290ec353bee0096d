import { createSecureContext } from 'node:tls';
import { Client, fetch as undiciFetch, type Response as UndiciResponse } from 'undici';
import { responseOf, failureOf } from './response.ts';
import { startCall, type OutgoingCall } from './call.ts';
import { openConnection, pinnedConnector } from './connect.ts';
import { firstHop, nextHop, type Hop } from './hop.ts';
import { createLookup } from './lookup.ts';
import {
  CallFailed,
  CallRefused,
  DEFAULT_LIMITS,
  type Limits,
  type SafeFetch,
  type SafeFetchOptions,
  type SafeInit,
} from './safe-fetch.ts';
import { openSocketDispatcher } from './socket-dispatcher.ts';
import { parseTarget, targetRules, type Target } from './target.ts';

/** The checked addresses for one request. */
interface Way {
  target: Target;
  addresses: readonly string[];
}

/** Throws if an option is invalid. */
export function createSafeFetch(options: SafeFetchOptions): SafeFetch {
  const rules = targetRules(options.allowHosts, options.ownOrigin, options);
  const lookUp = createLookup(options.dnsServers);
  const secureContext = createSecureContext(options.ca === undefined ? {} : { ca: options.ca });
  const calls = new Set<OutgoingCall>();
  const closing = new AbortController();

  function begin(limits: Partial<Limits>, signal?: AbortSignal | null): OutgoingCall {
    const call = startCall({ ...DEFAULT_LIMITS, ...limits }, signal);
    calls.add(call);
    call.onEnd(() => calls.delete(call));
    if (closing.signal.aborted) call.end(shuttingDown());
    return call;
  }

  async function findWay(url: string, signal: AbortSignal): Promise<Way> {
    const target = parseTarget(url, rules);
    return { target, addresses: await lookUp(target, signal) };
  }

  /** Uses a new connection, never one that was opened for a name's earlier addresses. */
  async function send(hop: Hop, way: Way, call: OutgoingCall): Promise<UndiciResponse> {
    const client = new Client(way.target.url.origin, {
      connect: pinnedConnector({ ...way, secureContext, signal: call.signal }),
      pipelining: 0,
      // The call has its own timeouts for everything.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    call.onEnd(() => void client.destroy().catch(() => {}));
    return await undiciFetch(way.target.url, {
      method: hop.method,
      headers: [...hop.headers],
      ...(hop.streamed
        ? { body: hop.streamed.source, duplex: 'half' as const }
        : { body: hop.body }),
      redirect: 'manual',
      dispatcher: client,
      signal: call.signal,
    });
  }

  async function follow(url: string, init: SafeInit, call: OutgoingCall): Promise<Response> {
    let way = await findWay(url, call.signal);
    let hop = await firstHop(url, init);
    for (let followed = 0; ; followed++) {
      const response = await send(hop, way, call);
      const next = await asRedirect(() => nextHop(hop, response));
      if (next) {
        requireRoomForRedirect(followed, init, call);
        // Also for callers that follow redirects themselves: they get no address that would be refused.
        way = await asRedirect(() => findWay(next.url, call.signal));
      }
      if (!next || init.redirect === 'manual') {
        call.headersIn();
        return responseOf(response, call, followed > 0);
      }
      await response.body?.cancel();
      hop = next;
    }
  }

  return {
    async check(url) {
      const call = begin({});
      try {
        await findWay(url, call.signal);
        return { ok: true };
      } catch (error) {
        if (error instanceof CallRefused) return { ok: false, message: error.message };
        if (error instanceof CallFailed) return { ok: 'unresolved', message: error.message };
        throw error;
      } finally {
        call.end();
      }
    },
    async fetch(input, init = {}, limits = {}) {
      const call = begin(limits, init.signal);
      try {
        return await follow(String(input), init, call);
      } catch (error) {
        const failure = failureOf(error, call);
        call.end(failure);
        throw failure;
      }
    },
    socketDispatcher: (signal, maxMessageBytes) =>
      openSocketDispatcher({
        signal: AbortSignal.any([signal, closing.signal]),
        maxMessageBytes,
        open: async (url, within) =>
          openConnection({ ...(await findWay(url, within)), secureContext, signal: within }),
      }),
    close() {
      closing.abort(shuttingDown());
      for (const call of calls) call.end(shuttingDown());
      return Promise.resolve();
    },
  };
}

function shuttingDown(): CallFailed {
  return new CallFailed('closed', 'Atrium is shutting down');
}

function requireRoomForRedirect(
  followed: number,
  init: RequestInit,
  { limits }: OutgoingCall,
): void {
  if (init.redirect === 'error') {
    throw new CallFailed(
      'redirect',
      'the server redirects, and this call does not follow redirects',
    );
  }
  if (init.redirect !== 'manual' && followed >= limits.maxRedirects) {
    throw new CallFailed('redirect', `the server redirects more than ${limits.maxRedirects} times`);
  }
}

async function asRedirect<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error;
    throw new CallRefused(
      `the server redirects to an address that is not allowed: ${error.message}`,
    );
  }
}
