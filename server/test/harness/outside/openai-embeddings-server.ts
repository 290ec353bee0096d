import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** How the server treats a request. */
export type Behaviour =
  | { kind: 'answer'; dimensions?: number; isFloat?: boolean; leaveOut?: number }
  | { kind: 'status'; status: number; retryAfter?: string }
  /** 400 for a batch in which a text contains this. */
  | { kind: 'refuse'; texts: string }
  | { kind: 'hang' }
  /** Answers when this settles. */
  | { kind: 'hold'; until: Promise<void> }
  | { kind: 'garbage'; body: string }
  /** Half of the answer, then the connection breaks. */
  | { kind: 'cut' }
  /** Sends without end. */
  | { kind: 'flood' };

export interface SeenRequest {
  authorization: string | undefined;
  body: { model: string; input: string[]; encoding_format?: string; dimensions?: number };
}

export interface EmbeddingsServer {
  baseUrl: string;
  requests: SeenRequest[];
  /** For the next requests, one each; `otherwise` once they are used up. */
  script(next: Behaviour[], otherwise?: Behaviour): void;
  /** Resolves when this many requests have arrived in total. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Speaks the wire format of OpenAI's POST /embeddings. The vector of a text depends only on its words. */
export async function startEmbeddingsServer(dimensions = 1536): Promise<EmbeddingsServer> {
  const requests: SeenRequest[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  let next: Behaviour[] = [];
  let otherwise: Behaviour = { kind: 'answer' };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await text(request)) as SeenRequest['body'];
    if (request.method !== 'POST' || request.url !== '/v1/embeddings') {
      response.writeHead(404).end();
      return;
    }
    requests.push({ authorization: request.headers.authorization, body });
    for (const { count, resolve } of waiting) if (requests.length >= count) resolve();
    const behaviour = next.shift() ?? otherwise;
    if (behaviour.kind === 'hold') await behaviour.until;
    behave(behaviour, body, response, dimensions);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    script(behaviours, after = { kind: 'answer' }) {
      next = [...behaviours];
      otherwise = after;
    },
    received: (count) =>
      new Promise((resolve) => {
        waiting.push({ count, resolve });
        if (requests.length >= count) resolve();
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

function behave(
  behaviour: Behaviour,
  body: SeenRequest['body'],
  response: ServerResponse,
  dimensions: number,
): void {
  if (behaviour.kind === 'hang') return;
  if (behaviour.kind === 'status') return answerStatus(response, behaviour);
  if (behaviour.kind === 'garbage')
    return void response.writeHead(200, JSON_TYPE).end(behaviour.body);
  if (behaviour.kind === 'flood') return flood(response);
  if (behaviour.kind === 'refuse' && body.input.some((each) => each.includes(behaviour.texts))) {
    return answerStatus(response, { status: 400 });
  }
  const options = behaviour.kind === 'answer' ? behaviour : {};
  const answer = answerOf(body, { dimensions: body.dimensions ?? dimensions, ...options });
  if (behaviour.kind !== 'cut') return void response.writeHead(200, JSON_TYPE).end(answer);
  response.writeHead(200, { ...JSON_TYPE, 'content-length': String(answer.length) });
  response.write(answer.slice(0, answer.length / 2), () => response.destroy());
}

const JSON_TYPE = { 'content-type': 'application/json' };

function answerStatus(
  response: ServerResponse,
  { status, retryAfter }: { status: number; retryAfter?: string },
): void {
  const headers = { ...JSON_TYPE, ...(retryAfter !== undefined && { 'retry-after': retryAfter }) };
  response.writeHead(status, headers).end('{"error":{"message":"so scripted","type":"scripted"}}');
}

function flood(response: ServerResponse): void {
  response.writeHead(200, JSON_TYPE).write('{"data":[');
  const chunk = ' '.repeat(64 * 1024);
  const send = () => void (response.writable && response.write(chunk, send));
  send();
}

/** Reversed, because the order of `data` is not guaranteed; `index` identifies each one. */
function answerOf(
  { model, input, encoding_format: format }: SeenRequest['body'],
  options: { dimensions: number; isFloat?: boolean; leaveOut?: number },
): string {
  const data = input
    .map((each, index) => {
      const vector = vectorOf(each, options.dimensions);
      const isText = format === 'base64' && !options.isFloat;
      const embedding = isText ? Buffer.from(vector.buffer).toString('base64') : [...vector];
      return { object: 'embedding', index, embedding };
    })
    .slice(options.leaveOut ?? 0)
    .toReversed();
  const usage = { prompt_tokens: input.length, total_tokens: input.length };
  return JSON.stringify({ object: 'list', data, model, usage });
}

/** Each word adds to its own dimension, so texts that share words are close. Not of unit length. */
function vectorOf(input: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of input.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
    let hash = 2166136261;
    for (const character of word)
      hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619);
    const at = (hash >>> 0) % dimensions;
    vector[at] = (vector[at] as number) + 2;
  }
  return vector;
}
