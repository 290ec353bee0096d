import type { CheckResult } from '../safe-fetch/safe-fetch.ts';

/** Another MCP server, and what identifies us there. */
export interface McpTarget {
  url: string;
  headers: Record<string, string>;
}

/** What the server says of itself when it is greeted. */
export interface McpGreeting {
  protocolVersion: string;
  serverInfo: { name: string; version: string };
  capabilities: Record<string, unknown>;
  latencyMs: number;
}

export interface RemoteTool {
  name: string;
  description: string;
  /** A JSON Schema. */
  inputSchema: object;
}

export interface ToolResult {
  text: string;
  isError: boolean;
}

export interface McpConnection {
  greeting: McpGreeting;
  /** Those that a model can be given; fails where there are more than anybody could want. */
  listTools(signal: AbortSignal): Promise<RemoteTool[]>;
  callTool(tool: RemoteTool, input: unknown, signal: AbortSignal): Promise<ToolResult>;
  /** Returns at once; the farewell is said in the background. */
  close(): void;
}

/** Calls to servers whose addresses people gave us: each goes through the guard, and is bounded. */
export interface McpClients {
  /** For registration; connects to nothing. */
  check(url: string): Promise<CheckResult>;
  /** Within ten seconds, or an McpFailure. */
  connect(target: McpTarget, signal?: AbortSignal): Promise<McpConnection>;
  close(): Promise<void>;
}

export type McpFailureCode =
  /** The guard does not let us call there. */
  | 'refused'
  | 'timeout'
  | 'too_large'
  | 'network'
  | 'tls'
  /** What answers there is no MCP server. */
  | 'not_mcp'
  | 'unauthorized'
  | 'server_error'
  /** It works, and has nothing for a model to use. */
  | 'no_tools'
  /** The stored secret was encrypted under another SECRETS_KEY. */
  | 'secret_unreadable';

/** In words fit for the caller: no address that was looked up, no secret, nothing of an answer's body. */
export class McpFailure extends Error {
  readonly code: McpFailureCode;

  constructor(code: McpFailureCode, problem: string) {
    super(problem);
    this.name = 'McpFailure';
    this.code = code;
  }
}
