import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { API_VERSION } from '../events.ts';
import { SandboxFailure } from '../failure.ts';
import { getObject, insertIfNew, newSandboxId, saveObject } from '../store.ts';
import { doWork, type SandboxParts } from '../work.ts';
import { parseForm } from './form.ts';
import { answerRead } from './reads.ts';
import { answerWrite } from './writes.ts';

const MOST_BYTES = 1024 * 1024;
const KEEP_ANSWERS = 86_400;

interface Call {
  method: string;
  path: string;
  /** Of the query, or of the body. */
  form: string;
  key: string | undefined;
}

interface Answer {
  body: object;
  isReplayed?: boolean;
}

/** Stripe's API, as far as its SDK is used here. */
export function createApiListener(
  parts: SandboxParts,
  log: Logger,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => void serve(request, response);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = newSandboxId('req');
    const headers = { 'request-id': requestId, 'stripe-version': API_VERSION };
    try {
      const { body, isReplayed } = await answer(parts, await readCall(request));
      send(response, 200, body, {
        ...headers,
        ...(isReplayed && { 'idempotent-replayed': 'true' }),
      });
    } catch (error) {
      if (!(error instanceof SandboxFailure)) {
        log.error({ err: error, requestId }, 'the payment sandbox failed');
      }
      const failure =
        error instanceof SandboxFailure
          ? error
          : new SandboxFailure(500, 'The sandbox failed; see the log.', { type: 'api_error' });
      send(response, failure.status, { error: describe(failure) }, headers);
    }
  }
}

function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string>,
): void {
  const json = 'application/json; charset=utf-8';
  response.writeHead(status, { ...headers, 'content-type': json }).end(JSON.stringify(body));
}

function describe({ type, code, message, param }: SandboxFailure): object {
  return {
    type,
    message,
    ...(code !== undefined && { code }),
    ...(param !== undefined && { param }),
  };
}

async function readCall(request: IncomingMessage): Promise<Call> {
  const { method = 'GET', url = '/', headers } = request;
  const [path = '/', query = ''] = url.split('?', 2);
  const body = await readBody(request);
  if (!/^Bearer \S+$/.test(headers.authorization ?? '')) {
    throw new SandboxFailure(
      401,
      'You did not provide an API key. Send it as `Authorization: Bearer YOUR_SECRET_KEY`.',
    );
  }
  const key = headers['idempotency-key'];
  return {
    method,
    path,
    form: method === 'POST' ? body : query,
    // As with Stripe, other methods have no use for one.
    key: method === 'POST' && typeof key === 'string' ? key : undefined,
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MOST_BYTES) chunks.push(chunk);
  }
  if (size > MOST_BYTES) throw new SandboxFailure(413, 'The request is too large.');
  return Buffer.concat(chunks).toString();
}

async function answer(parts: SandboxParts, call: Call): Promise<Answer> {
  const { method, path, form } = call;
  if (method === 'GET')
    return { body: found(call, await answerRead(parts, path, parseForm(form))) };
  if (call.key !== undefined) return answerOnce(parts, call, call.key);
  const body = await doWork(parts, (work) => answerWrite(work, method, path, parseForm(form)));
  return { body: found(call, body) };
}

/** What is done and the answer to it are written together. A second call with the key waits for the first. */
async function answerOnce(parts: SandboxParts, call: Call, key: string): Promise<Answer> {
  const { method, path, form } = call;
  const id = `answer_${sha256(key)}`;
  const request = sha256(`${method} ${path}\n${form}`);
  return doWork(parts, async (work) => {
    const kept = { id, object: 'sandbox.answer', request, answer: null } as const;
    if (await insertIfNew(work.tx, kept, work.now + KEEP_ANSWERS)) {
      const body = found(call, await answerWrite(work, method, path, parseForm(form)));
      await saveObject(work.tx, { ...kept, answer: body }, work.now + KEEP_ANSWERS);
      return { body };
    }
    const earlier = await getObject(work.tx, 'sandbox.answer', id);
    if (earlier.request === request && earlier.answer) {
      return { body: earlier.answer, isReplayed: true };
    }
    throw new SandboxFailure(
      400,
      `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      { type: 'idempotency_error' },
    );
  });
}

function found({ method, path }: Call, body: object | undefined): object {
  if (body) return body;
  throw new SandboxFailure(404, `Unrecognized request URL (${method}: ${path}).`);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
