import { afterAll, beforeAll } from 'vitest';
import { createCaller, type Call } from '../clients/client.ts';
import { dataOf } from '../clients/envelope.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts';

export interface UsedTestServer extends Readonly<Omit<TestServer, 'stop'>> {
  /** Calls this server. Unlike the other fields, it may be read before the server runs. */
  call: Call;
  /** The same, for what must succeed: returns `data`. */
  send: (...args: Parameters<Call>) => Promise<ReturnType<typeof dataOf>>;
}

/** Starts a server before the tests of a file or `describe`, and stops it after them. */
export function useTestServer(
  options: TestServerOptions | (() => Promise<TestServerOptions>) = {},
): UsedTestServer {
  let started: TestServer | undefined;
  const running = (): TestServer => {
    if (!started) throw new Error('The test server runs only in hooks and tests.');
    return started;
  };
  beforeAll(async () => {
    started = await startTestServer(typeof options === 'function' ? await options() : options);
  });
  afterAll(() => started?.stop());
  const call: Call = (...args) => createCaller(running().origin)(...args);
  return {
    call,
    send: async (...args) => dataOf(await call(...args)),
    get origin() {
      return running().origin;
    },
    get db() {
      return running().db;
    },
    get tokens() {
      return running().tokens;
    },
    get logLines() {
      return running().logLines;
    },
  };
}
