import type { CheckResult } from '../safe-fetch/safe-fetch.ts';

/** Another MCP server, and our credentials there. */
export interface McpTarget {
  url: string;
  headers: Record<string, string>;
}

/** What the server says about itself when we connect. */
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
  /** The tools that a model can use. Fails if there are too many. */
  listTools(signal: AbortSignal): Promise<RemoteTool[]>;
  callTool(tool: RemoteTool, input: unknown, signal: AbortSignal): Promise<ToolResult>;
  /** Returns at once and ends the session in the background. */
  close(): void;
}

/** Calls to servers whose addresses people entered. Each goes through the guard and is limited. */
export interface McpClients {
  /** For registration. Does not connect. */
  check(url: string): Promise<CheckResult>;
  /** Throws an McpFailure after ten seconds. */
  connect(target: McpTarget, signal?: AbortSignal): Promise<McpConnection>;
  close(): Promise<void>;
}

export type McpFailureCode =
  /** The guard refused the address. */
  | 'refused'
  | 'timeout'
  | 'too_large'
  | 'network'
  | 'tls'
  /** Not an MCP server. */
  | 'not_mcp'
  | 'unauthorized'
  | 'server_error'
  /** The server works but has no tools. */
  | 'no_tools'
  /** The stored secret was encrypted under another SECRETS_KEY. */
  | 'secret_unreadable';

/** The message is safe for the caller: no resolved address, no secret, nothing from a response body. */
export class McpFailure extends Error {
  readonly code: McpFailureCode;

  constructor(code: McpFailureCode, problem: string) {
    super(problem);
    this.name = 'McpFailure';
    this.code = code;
  }
}
