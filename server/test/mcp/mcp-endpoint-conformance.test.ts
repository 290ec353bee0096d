import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPerson, createTestOrg } from '../harness/factories.ts';
import { startTestServer, type TestServer } from '../harness/processes/server.ts';

/** The protocol's own suite for servers, as its command line runs it: every scenario, one process. */
const SUITE = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));

const PASSED = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'dns-rebinding-protection',
  // With a warning: there are no sessions, so there is nothing to poll.
  'server-sse-polling',
  'server-sse-multiple-streams',
];

/** The other scenarios need tools that this server does not have, and fail for exactly these reasons. */
const DOES_NOT_APPLY: { why: string; says: RegExp; scenarios: string[] }[] = [
  {
    why: 'calls a tool that only a server made for the suite has',
    says: /Unknown tool|Tool 'json_schema_2020_12_tool' not found/,
    scenarios: [
      'tools-call-simple-text',
      'tools-call-image',
      'tools-call-audio',
      'tools-call-embedded-resource',
      'tools-call-mixed-content',
      'tools-call-error',
      'tools-call-with-progress',
      'tools-call-sampling',
      'tools-call-elicitation',
      'json-schema-2020-12',
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
    ],
  },
  {
    why: 'reads a resource that only a server made for the suite has',
    says: /Resource not found: test:/,
    scenarios: ['resources-read-text', 'resources-read-binary', 'resources-templates-read'],
  },
  {
    why: 'needs a capability that we do not declare: logging, completions, prompts, subscriptions',
    says: /Method not found/,
    scenarios: [
      'logging-set-level',
      'tools-call-with-logging',
      'completion-complete',
      'prompts-list',
      'prompts-get-simple',
      'prompts-get-with-args',
      'prompts-get-embedded-resource',
      'prompts-get-with-image',
      'resources-subscribe',
      'resources-unsubscribe',
    ],
  },
];

let server: TestServer;
let front: Server;
let results: string;

beforeAll(async () => {
  server = await startTestServer();
  const org = await createTestOrg(server.db);
  const people = await Promise.all(
    Array.from({ length: 20 }, () => addPerson(server.db, org.orgId, 'MEMBER')),
  );
  front = await startFront(
    server.origin,
    people.map(({ key }) => key),
  );
  results = await mkdtemp(join(tmpdir(), 'atrium-conformance-'));
});
afterAll(async () => {
  front.close();
  await server.stop();
  await rm(results, { recursive: true });
});

it('passes every scenario that applies, and every listed exception still fails', async () => {
  const found = await runSuite();
  const failures = [...found].filter(([, problems]) => problems.length > 0);
  const passed = [...found.keys()].filter((name) => found.get(name)?.length === 0);
  expect(passed.toSorted()).toEqual(PASSED.toSorted());
  const listed = DOES_NOT_APPLY.flatMap(({ scenarios }) => scenarios);
  expect(failures.map(([name]) => name).toSorted()).toEqual(listed.toSorted());
  for (const { why, says, scenarios } of DOES_NOT_APPLY) {
    for (const name of scenarios) {
      for (const problem of found.get(name) ?? []) expect(problem, `${name} ${why}`).toMatch(says);
    }
  }
}, 150_000);

/** What is wrong, by scenario. */
async function runSuite(): Promise<Map<string, string[]>> {
  const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}/api/mcp`;
  const args = [SUITE, 'server', '--url', url, '--suite', 'all', '-o', results];
  const { promise, resolve } = Promise.withResolvers<void>();
  // It exits with an error when a scenario fails, and some do.
  execFile(process.execPath, args, { timeout: 120_000 }, () => resolve());
  await promise;
  const found = new Map<string, string[]>();
  for (const folder of await readdir(results)) {
    const [, name = ''] = /^server-(.+)-\d{4}-\d\d-\d\dT.*$/.exec(folder) ?? [];
    const text = await readFile(join(results, folder, 'checks.json'), 'utf8');
    const checks = JSON.parse(text) as { status: string; errorMessage?: string }[];
    const failed = checks.filter(({ status }) => status === 'FAILURE');
    found.set(
      name,
      failed.map(({ errorMessage = '' }) => errorMessage),
    );
  }
  return found;
}

/** The suite sends no key. A proxy adds keys in turn, because each key has its own limits. */
async function startFront(origin: string, keys: readonly string[]): Promise<Server> {
  let count = 0;
  const proxy = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const authorization = `Bearer ${keys[count++ % keys.length]}`;
    const sent = request(origin + url, { method, headers: { ...headers, authorization } });
    sent.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy());
    incoming.pipe(sent);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return proxy;
}
