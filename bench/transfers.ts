import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, request as send, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { TUS } from '../server/test/harness/clients/uploads.ts';

const agent = new Agent({ keepAlive: true });

export interface Transfer {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
}

/** Resolves with the number of bytes of the answer, which are thrown away. */
export async function transfer({ method, url, headers = {}, body }: Transfer): Promise<number> {
  const length = body && { 'content-length': String(body.length) };
  const request = send(url, { method, agent, headers: { ...headers, ...length } });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => void (bytes += chunk.length));
  await once(response, 'end');
  const { statusCode = 0 } = response;
  if (statusCode >= 300) throw new Error(`${method} ${url}: ${statusCode}`);
  return bytes;
}

export interface Uploader {
  origin: string;
  key: string;
  projectId: string;
}

export interface BegunFile {
  id: string;
  /** Where its bytes go. */
  url: string;
}

export const authorized = (key: string) => ({ authorization: `Bearer ${key}` });

export async function callApi<T>(
  { origin, key }: Pick<Uploader, 'origin' | 'key'>,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(`${origin}/api${path}`, {
    method,
    headers: { ...authorized(key), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text).data) as T;
}

export async function beginFile(
  uploader: Uploader,
  { name, size }: { name: string; size: number },
): Promise<BegunFile> {
  const path = `/projects/${uploader.projectId}/files`;
  const { id } = await callApi<{ id: string }>(uploader, 'POST', path, { name, size });
  return { id, url: `${uploader.origin}/api/files/${id}/upload` };
}

/** As one PUT, or as tus sends it: PATCHes of so many bytes. */
export async function sendBytes(
  { key }: Pick<Uploader, 'key'>,
  { url }: BegunFile,
  bytes: Uint8Array,
  pieceBytes?: number,
): Promise<void> {
  const headers = authorized(key);
  if (pieceBytes === undefined) {
    await transfer({ method: 'PUT', url, headers, body: bytes });
    return;
  }
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const own = { ...headers, ...TUS, 'upload-offset': String(at) };
    await transfer({
      method: 'PATCH',
      url,
      headers: own,
      body: bytes.subarray(at, at + pieceBytes),
    });
  }
}

/** Until it was checked. */
export async function untilReady(uploader: Uploader, { id }: BegunFile): Promise<void> {
  for (;;) {
    const { status } = await callApi<{ status: string }>(uploader, 'GET', `/files/${id}`);
    if (status === 'READY') return;
    if (!/UPLOADING|CHECKING/.test(status)) throw new Error(`a file is ${status}`);
    await sleep(5);
  }
}

/** Megabytes that a process has in memory. */
export async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}
