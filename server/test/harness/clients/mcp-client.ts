import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

export const ERAS = ['legacy', '2026-07-28'] as const;
export type Era = (typeof ERAS)[number];

/** The official client, connected to our endpoint, in the 2025 protocol or pinned to the new one. */
export async function connectMcp(origin: string, key: string, era: Era): Promise<Client> {
  const mode = era === 'legacy' ? era : { pin: era };
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL('/api/mcp', origin), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport);
  return client;
}

export interface ToolOutcome {
  isError: boolean;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read responses of every shape
  data: any;
}

export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<ToolOutcome> {
  const result = await client.callTool({ name, arguments: args });
  const [first] = result.content;
  return {
    isError: result.isError === true,
    text: first?.type === 'text' ? first.text : '',
    data: result.structuredContent,
  };
}

/** What a refused call says, in short: `FORBIDDEN missing_scope`. */
export function refusalOf({ isError, data }: ToolOutcome): string {
  if (!isError) return 'not refused';
  const { code, details } = data.error;
  return [code, details.reason].filter(Boolean).join(' ');
}
