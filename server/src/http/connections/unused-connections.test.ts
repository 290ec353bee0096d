import { expect, it } from 'vitest';
import { connectRaw } from '../../../test/harness/clients/raw-http.ts';
import { startTestServer } from '../../../test/harness/processes/server.ts';

it('a server stops even if a browser holds an unused connection', async () => {
  const server = await startTestServer();
  const { origin } = server;
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  const spare = await connectRaw(origin);
  await Promise.all([server.stop(), spare.closed()]);
});

it('even if a client is slow to send its first request', async () => {
  const slowSenderLimits = {
    headersTimeout: 200,
    requestTimeout: 200,
    connectionsCheckingInterval: 60_000,
  };
  const server = await startTestServer({ slowSenderLimits });
  const slow = await connectRaw(server.origin);
  slow.send('GET /healthz HTTP/1.1\r\nHost:');
  await Promise.all([server.stop(), slow.closed()]);
});
