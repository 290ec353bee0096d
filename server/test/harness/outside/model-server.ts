import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';

/** What a scripted model does with one request. A string is an answer's text. */
export type ScriptedAnswer =
  | string
  | StreamedAnswer
  /** A refusal. The body is the provider's usual error, unless given. */
  | { status: number; headers?: Record<string, string>; errorType?: string; body?: string }
  /** Status 200 with these bytes, whatever they are. */
  | { raw: string | Uint8Array }
  /** No answer; or, after headers only, no body. */
  | { hang: 'silent' | 'after-headers' }
  /** Breaks the connection without an answer. */
  | { cut: true }
  /** Sends empty events endlessly. */
  | { flood: true };

export interface StreamedAnswer {
  text?: string;
  /** Into how many events the text is split; default: 1. */
  chunks?: number;
  reasoning?: string;
  toolCalls?: { name: string; input: unknown }[];
  /** Null: the provider sends none. Default: 11 and 7. */
  usage?: ScriptedUsage | null;
  finish?: 'stop' | 'length' | 'refused';
  /** Waits before each event, the end included: slow tokens, or tokens that the test lets through. */
  pace?: (event: number) => Promise<unknown>;
  /** How it ends instead: a broken connection, a clean close without the last events, silence, or an error event. */
  ending?: 'cut' | 'close' | 'hang' | 'error';
}

export interface ScriptedUsage {
  /** All of them, cached or not. */
  inputTokens: number;
  outputTokens: number;
  /** Of the input, read from the provider's cache. Default: 0. */
  cachedTokens?: number;
}

/** A request, with the parts that both wire formats have under the same names. */
export interface SeenRequest {
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
  model: string;
  instructions: string;
  /** Tool results have the role `tool`; parts that are not text are left out. */
  messages: { role: string; content: string }[];
  tools: string[];
  toolChoice: string | undefined;
  maxOutputTokens: number | undefined;
}

export type Answerer = (
  request: SeenRequest,
  /** Counts from 0. */
  index: number,
) => ScriptedAnswer | Promise<ScriptedAnswer>;

export interface ModelServer {
  /** For `baseURL` of an entry in MODELS_FILE. */
  baseUrl: string;
  requests: SeenRequest[];
  /** What GET /models lists; or a refusal. Default: nothing. */
  offered: readonly object[] | { status: number; body: string; headers?: Record<string, string> };
  /** The headers of each GET /models. */
  listings: IncomingHttpHeaders[];
  /** From now on. An array has one answer per request; the last one is repeated. */
  answerWith(answer: Answerer | ScriptedAnswer[]): void;
  /** Resolves when this many requests have arrived in total. */
  received(count: number): Promise<void>;
  /** Resolves when this many callers have disconnected before the end of their answer. */
  hungUp(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Holds this answer back from everybody who asks, until it is opened. */
export function holdAnswers(model: ModelServer, answer: ScriptedAnswer) {
  const gate = Promise.withResolvers<void>();
  const before = model.requests.length;
  model.answerWith(async () => {
    await gate.promise;
    return answer;
  });
  /** Resolves when this many have asked since. */
  const asked = (count = 1) => model.received(before + count);
  return { before, asked, open: () => gate.resolve() };
}

export interface WireFormat {
  path: string;
  read(body: Record<string, unknown>): Omit<SeenRequest, 'headers' | 'body'>;
  /** Server-sent events, each with its blank line; the last one is the end. */
  events(answer: StreamedAnswer, request: SeenRequest): string[];
  errorEvent: string;
  errorBody(type: string): string;
}

export async function startModelServer(
  format: WireFormat,
  options: { answer?: Answerer | ScriptedAnswer[] } = {},
): Promise<ModelServer> {
  const requests: SeenRequest[] = [];
  const received = createCounter();
  const hungUp = createCounter();
  let answerer = toAnswerer(options.answer ?? ['Hello.']);

  const root = format.path.slice(0, format.path.indexOf('/', 1));
  const list = (headers: IncomingHttpHeaders, response: ServerResponse) => {
    const { offered } = made;
    made.listings.push(headers);
    if ('status' in offered) response.writeHead(offered.status, offered.headers).end(offered.body);
    else response.end(JSON.stringify({ data: offered }));
  };
  const server = createServer((request, response) => {
    const handle = async () => {
      if (request.method === 'GET' && request.url?.startsWith(`${root}/models`)) {
        list(request.headers, response);
        return;
      }
      const body = JSON.parse(await readText(request)) as Record<string, unknown>;
      if (request.method !== 'POST' || request.url !== format.path) {
        response.writeHead(404).end(format.errorBody('not_found_error'));
        return;
      }
      const seen: SeenRequest = { headers: request.headers, body, ...format.read(body) };
      response.once('close', () => void (response.writableFinished || hungUp.add()));
      requests.push(seen);
      const index = requests.length - 1;
      received.add();
      const answer = await answerer(seen, index);
      await send(response, typeof answer === 'string' ? { text: answer } : answer, seen, format);
    };
    handle().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const made: ModelServer = {
    baseUrl: `http://127.0.0.1:${port}${root}`,
    requests,
    offered: [],
    listings: [],
    answerWith(answer) {
      answerer = toAnswerer(answer, requests.length);
    },
    received: received.reaches,
    hungUp: hungUp.reaches,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
  return made;
}

function toAnswerer(answer: Answerer | ScriptedAnswer[], from = 0): Answerer {
  if (typeof answer === 'function') return answer;
  return (_, index) => answer[Math.min(index - from, answer.length - 1)] ?? '';
}

function createCounter() {
  let count = 0;
  let waiting: { count: number; resolve: () => void }[] = [];
  const settle = () => {
    for (const each of waiting) if (count >= each.count) each.resolve();
    waiting = waiting.filter((each) => count < each.count);
  };
  return {
    add() {
      count++;
      settle();
    },
    reaches: (wanted: number) =>
      new Promise<void>((resolve) => {
        waiting.push({ count: wanted, resolve });
        settle();
      }),
  };
}

const EVENT_STREAM = { 'content-type': 'text/event-stream' };

async function send(
  response: ServerResponse,
  answer: Exclude<ScriptedAnswer, string>,
  request: SeenRequest,
  format: WireFormat,
): Promise<void> {
  if ('status' in answer) {
    const { status, headers, errorType = 'scripted_error' } = answer;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    return void response.end(answer.body ?? format.errorBody(errorType));
  }
  if ('cut' in answer) return void response.destroy();
  if ('hang' in answer) {
    if (answer.hang === 'after-headers') response.writeHead(200, EVENT_STREAM).flushHeaders();
    return;
  }
  response.writeHead(200, EVENT_STREAM);
  if ('raw' in answer) return void response.end(answer.raw);
  if ('flood' in answer) return flood(response);
  const events = format.events(answer, request);
  const end = events.pop() ?? '';
  for (const [at, event] of events.entries()) {
    await answer.pace?.(at);
    response.write(event);
  }
  await answer.pace?.(events.length);
  if (answer.ending === undefined) return void response.end(end);
  if (answer.ending === 'close') return void response.end();
  if (answer.ending === 'error') return void response.end(format.errorEvent);
  // Flushed first, so that earlier events arrive.
  if (answer.ending === 'cut') response.write('\n', () => response.destroy());
}

function flood(response: ServerResponse): void {
  const chunk = `: ${'x'.repeat(64 * 1024)}\n`;
  const next = () => void (response.writable && response.write(chunk, next));
  next();
}

/** By code units, so that a surrogate pair may be split over two events. */
export function cutText(text: string, chunks = 1): string[] {
  const size = Math.max(1, Math.ceil(text.length / chunks));
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += size) parts.push(text.slice(at, at + size));
  return parts;
}

/** The text of a message's content: a string, or parts of which some are text. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: { text?: unknown; content?: unknown }) =>
      typeof part.text === 'string' ? part.text : contentText(part.content),
    )
    .join('');
}
