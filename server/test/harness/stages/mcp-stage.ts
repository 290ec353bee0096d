import { beforeEach, expect } from 'vitest';
import { createAuthority } from '../outside/certificates.ts';
import { createCaller, type Call, type Reply } from '../clients/client.ts';
import { startDnsServer, type DnsAnswer } from '../outside/dns-server.ts';
import { createTestOrg, type TestOrg } from '../factories.ts';
import { speakMcp, startMcpUpstream, type McpUpstream } from '../outside/mcp-upstream.ts';
import { startTestServer, type TestServer } from '../processes/server.ts';
import { useStarted } from '../processes/use-started.ts';

export const MCP_SERVERS = '/api/mcp/servers';

/** The fields that tests read. */
export interface ShownServer {
  id: string;
  projectIds: string[];
  lastTestedAt: string | null;
  lastError: string | null;
}

/** A server that may call one MCP server on loopback, and whose resolver knows these names. */
export interface McpStage {
  server: TestServer;
  upstream: McpUpstream;
  names: Record<string, DnsAnswer>;
  call: Call;
  /** The org of this test. */
  org: TestOrg;
  /** Resets the upstream to well-behaved, without requests, and creates a new org. */
  reset(): Promise<void>;
  create(fields?: object, key?: string, headers?: Record<string, string>): Promise<Reply>;
  /** Returns the id. */
  register(fields?: object): Promise<string>;
  list(key?: string): Promise<{ items: ShownServer[]; total: number }>;
  createProject(name: string, key?: string): Promise<string>;
  stop(): Promise<void>;
}

/** A stage for the tests of a file, reset before each of them. */
export function useMcpStage(): McpStage {
  const stage = useStarted(startMcpStage, (started) => started.stop());
  beforeEach(() => stage.reset());
  return stage;
}

async function startMcpStage(): Promise<McpStage> {
  const authority = createAuthority();
  const names: Record<string, DnsAnswer> = {
    'tools.example.com': { addresses: ['93.184.216.34'] },
    'inside.example.com': { addresses: ['10.0.0.7'] },
    'half.example.com': { addresses: ['93.184.216.34', '127.0.0.1'] },
    'metadata.example.com': { addresses: ['169.254.169.254'] },
    'six.example.com': { addresses: ['::ffff:10.0.0.7'] },
    'broken.example.com': { code: 2 },
  };
  const upstream = await startMcpUpstream(authority);
  const dns = await startDnsServer(({ name }) => names[name]);
  const env = {
    MCP_ALLOW_HOSTS: upstream.host,
    DNS_SERVERS: dns.address,
    PUBLIC_URL: 'https://atrium.example.com',
  };
  const server = await startTestServer({ env, ca: authority.certificate });
  const call = createCaller(server.origin);
  const stage: McpStage = {
    server,
    upstream,
    names,
    call,
    org: await createTestOrg(server.db),
    async reset() {
      // In place, for those who hold the org of the stage.
      Object.assign(stage.org, await createTestOrg(server.db));
      upstream.answerWith(speakMcp());
      upstream.requests.length = 0;
    },
    create: (fields, key = stage.org.owner.key, headers = {}) =>
      call('POST', MCP_SERVERS, { key, body: { ...DRAFT, ...fields }, headers }),
    async register(fields) {
      const reply = await stage.create(fields);
      expect(reply.status, reply.text).toBe(201);
      return reply.json.data.id;
    },
    list: async (key = stage.org.owner.key) => (await call('GET', MCP_SERVERS, { key })).json.data,
    async createProject(name, key = stage.org.owner.key) {
      return (await call('POST', '/api/projects', { key, body: { name } })).json.data.id;
    },
    async stop() {
      await server.stop();
      await Promise.all([upstream.close(), dns.close()]);
    },
  };
  return stage;
}

const DRAFT = {
  displayName: 'Tools',
  mentionSlug: 'tools',
  endpointUrl: 'https://tools.example.com/mcp',
  authType: 'NONE',
};
