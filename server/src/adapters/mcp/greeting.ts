import type { Client } from '@modelcontextprotocol/client';
import type { McpGreeting } from './mcp-client.ts';

const LONGEST_NAME = 200;
const LARGEST_CAPABILITIES = 16 * 1024;

/** What the server says about itself, limited in size. */
export function readGreeting(client: Client, latencyMs: number): McpGreeting {
  const version = client.getServerVersion();
  return {
    protocolVersion: client.getNegotiatedProtocolVersion() ?? 'unknown',
    serverInfo: { name: shorten(version?.name), version: shorten(version?.version) },
    capabilities: fit({ ...client.getServerCapabilities() }),
    latencyMs,
  };
}

function shorten(text = 'unknown'): string {
  return text.slice(0, LONGEST_NAME).toWellFormed();
}

/** If there are too many details, only the usual capabilities are kept, without details. */
function fit(capabilities: Record<string, unknown>): Record<string, unknown> {
  if (JSON.stringify(capabilities).length <= LARGEST_CAPABILITIES) return capabilities;
  const usual = ['tools', 'resources', 'prompts', 'logging', 'completions'];
  return Object.fromEntries(usual.filter((name) => capabilities[name]).map((name) => [name, {}]));
}
