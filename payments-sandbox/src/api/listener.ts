import { createHash } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { API_VERSION } from '../events.ts';
import { SandboxFailure } from '../failure.ts';
import { doWork, type SandboxHost } from '../host.ts';
import { newId } from '../objects.ts';
import { getObject, insertObject, saveObject } from '../store.ts';
import { read, write } from './operations.ts';
import { parseParams } from './params.ts';

const KEEP_RESPONSES = 86_400;

interface ApiRequest {
  method: string;
  path: string;
  /** The body of a POST, the query of any other method. */
  form: string;
  /** As in Stripe, only a POST has one. */
  idempotencyKey: string | undefined;
}

/** The part of Stripe's API that Atrium uses. */
export function createApiListener(host: SandboxHost): RequestListener {
  return (request, response) => void serve(request, response);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const requestId = newId('req');
    response.setHeader('request-id', requestId).setHeader('stripe-version', API_VERSION);
    // The sandbox can then close without waiting for idle connections.
    response.setHeader('connection', 'close');
    response.setHeader('content-type', 'application/json; charset=utf-8');
    try {
      const { body, isReplayed } = await respond(host, await readRequest(request));
      if (isReplayed) response.setHeader('idempotent-replayed', 'true');
      response.end(JSON.stringify(body));
    } catch (error) {
      const isExpected = error instanceof SandboxFailure;
      if (!isExpected) host.log.error({ err: error, requestId }, 'payments sandbox failed');
      const { status, message, details } = isExpected
        ? error
        : new SandboxFailure(500, 'The sandbox failed. See the log.', { type: 'api_error' });
      const body = { error: { type: 'invalid_request_error', message, ...details } };
      response.writeHead(status).end(JSON.stringify(body));
    }
  }
}

async function readRequest(request: IncomingMessage): Promise<ApiRequest> {
  const { method = 'GET', url = '/', headers } = request;
  const [path = '/', query = ''] = url.split('?', 2);
  const isPost = method === 'POST';
  const form = isPost ? await text(request) : query;
  if (!/^Bearer \S+$/.test(headers.authorization ?? '')) {
    throw new SandboxFailure(401, 'No API key. Send `Authorization: Bearer YOUR_SECRET_KEY`.');
  }
  const idempotencyKey = isPost ? headers['idempotency-key']?.toString() : undefined;
  return { method, path, form, idempotencyKey };
}

async function respond(
  host: SandboxHost,
  { method, path, form, idempotencyKey: key }: ApiRequest,
): Promise<{ body: object; isReplayed?: boolean }> {
  const params = parseParams(form);
  const known = (body: object | undefined): object => {
    if (body) return body;
    throw new SandboxFailure(404, `Unrecognized request URL (${method}: ${path}).`);
  };
  if (method === 'GET') return { body: known(await read(host.db, path, params)) };
  return doWork(host, async (work) => {
    const change = async () => known(await write(work, method, path, params));
    if (key === undefined) return { body: await change() };
    // The change and its response are stored together. A second call with the key waits for the first.
    const dueAt = work.now + KEEP_RESPONSES;
    const request = sha256(`${method} ${path}\n${form}`);
    const kept = { id: `answer_${sha256(key)}`, object: 'sandbox.answer', request } as const;
    if (await insertObject(work.tx, { ...kept, answer: null }, dueAt)) {
      const body = await change();
      await saveObject(work.tx, { ...kept, answer: body }, dueAt);
      return { body };
    }
    const earlier = await getObject(work.tx, 'sandbox.answer', kept.id);
    if (earlier.request === request && earlier.answer) {
      return { body: earlier.answer, isReplayed: true };
    }
    const message = `The idempotency key '${key}' was first used with other parameters.`;
    throw new SandboxFailure(400, message, { type: 'idempotency_error' });
  });
}

function sha256(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}
