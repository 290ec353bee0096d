import { shorten } from '../../../text/shorten.ts';
import type { Tool } from '../../../adapters/models/model.ts';
import type { Citation, ToolCall } from '../../messages/replies/service.ts';
import { pageReference } from '../reading/citations.ts';
import { createCallsUnderWay, type CallsUnderWay, type ToolWatcher } from './tool-progress.ts';

/** Tools that an answerer may use: an MCP server's, or built-in ones. They are opened for each run. */
export interface ToolSource {
  /** Shown with each call. */
  name: string;
  open(signal: AbortSignal): Promise<OpenSource>;
}

export interface OpenSource {
  tools: readonly SourceTool[];
  close(): void;
}

export interface SourceTool extends Omit<Tool, 'run'> {
  call(input: unknown, signal: AbortSignal): Promise<CallResult>;
}

export interface CallResult {
  text: string;
  isError: boolean;
  /** What the answer may refer to, by its id. */
  citable?: readonly Citation[];
  /** What the call changed, in one sentence for people. It is added to the reply. */
  note?: string;
}

export interface OpenTools {
  tools: Tool[];
  /** These grow while the model works. */
  calls: ToolCall[];
  citable: Map<string, Citation>;
  notes: string[];
  close(): void;
}

/** A source that could not be opened. */
export class SourceFailure extends Error {
  readonly source: string;

  constructor(source: string, cause: unknown) {
    super(`the tools of ${source} could not be opened`, { cause });
    this.source = source;
  }
}

/** The message keeps this much of a call's arguments and result. */
const LONGEST_KEPT = 2_000;

/** Opens all sources. If one fails, the others are closed, and it throws a SourceFailure. */
export async function openTools(
  sources: readonly ToolSource[],
  signal: AbortSignal,
  { watcher, mayCall }: { watcher: ToolWatcher; mayCall: () => Promise<boolean> },
): Promise<OpenTools> {
  const opened = await Promise.allSettled(sources.map((source) => source.open(signal)));
  const close = () => {
    for (const each of opened) if (each.status === 'fulfilled') each.value.close();
  };
  const seen: Seen = { calls: [], citable: new Map(), notes: [] };
  const names = new Set<string>();
  const underWay = createCallsUnderWay(watcher);
  const tools: Tool[] = [];
  for (const [at, { name: server }] of sources.entries()) {
    const each = opened[at];
    if (each?.status !== 'fulfilled') {
      close();
      throw new SourceFailure(server, each?.reason);
    }
    for (const tool of each.value.tools) {
      const { description, inputSchema } = tool;
      const run = async (input: unknown, runSignal: AbortSignal) => {
        if (!(await mayCall())) throw new Error('This tool can no longer be used.');
        return recorded({ ...seen, underWay }, { server, tool, input }, runSignal);
      };
      tools.push({ name: uniqueName(tool.name, names), description, inputSchema, run });
    }
  }
  return { tools, ...seen, close };
}

type Seen = Pick<OpenTools, 'calls' | 'citable' | 'notes'>;

/** Records the result of a call and returns it for the model. */
async function recorded(
  { calls, citable, notes, underWay }: Seen & { underWay: CallsUnderWay },
  { server, tool, input }: { server: string; tool: SourceTool; input: unknown },
  signal: AbortSignal,
): Promise<string> {
  const startedAt = performance.now();
  const latency = () => Math.round(performance.now() - startedAt);
  const end = underWay.start(server, tool.name);
  const calling = tool.call(input, signal).catch((error: unknown) => {
    end({ isError: true, latencyMs: latency() });
    throw error;
  });
  const { text, isError, note, citable: found = [] } = await calling;
  const latencyMs = latency();
  end({ isError, latencyMs });
  for (const each of found) citable.set(referenceTo(each), each);
  if (note !== undefined) notes.push(note);
  calls.push({
    server,
    name: tool.name,
    arguments: keepInput(input),
    result: shorten(text, LONGEST_KEPT),
    isError,
    latencyMs,
  });
  return asData(text, isError);
}

function referenceTo(citation: Citation): string {
  if ('memoryId' in citation) return citation.memoryId;
  if ('messageId' in citation) return citation.messageId;
  return pageReference(citation.documentId, citation.page);
}

/** Models accept up to 64 letters, digits, `_` and `-`. Names are unique. */
function uniqueName(name: string, taken: Set<string>): string {
  const base = name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 58);
  let unique = base;
  for (let number = 2; taken.has(unique); number++) unique = `${base}_${number}`;
  taken.add(unique);
  return unique;
}

/** Results are data: nothing in them can close the tag. */
function asData(result: string, isError: boolean): string {
  const escaped = result.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<tool_result${isError ? ' failed="true"' : ''}>\n${escaped}\n</tool_result>`;
}

/** The model's input was already cleaned, so the database accepts it. */
function keepInput(input: unknown): unknown {
  const written = JSON.stringify(input) ?? 'null';
  if (written.length > LONGEST_KEPT) return shorten(written, LONGEST_KEPT);
  return JSON.parse(written) as unknown;
}
