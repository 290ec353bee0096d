import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Call, CallOptions, Reply } from './client.ts';
import { dataOf } from './envelope.ts';

/** Whoever uploads: a person with a key, or a page with its cookie. */
export interface Uploader {
  call: Call;
  key?: string;
}

export interface NewUpload {
  projectId: string;
  bytes: Uint8Array;
  name?: string;
  mediaType?: string;
}

/** Begins an upload. Returns the record, and the path that bytes go to. */
export async function beginUpload(
  { call, key }: Uploader,
  { projectId, bytes, name = 'notes.txt', mediaType }: NewUpload,
) {
  const body = { name, size: bytes.length, ...(mediaType !== undefined && { mediaType }) };
  const options = { ...(key !== undefined && { key }), body };
  const data = dataOf(await call('POST', `/api/projects/${projectId}/files`, options));
  return { ...data, path: new URL(data.uploadUrl).pathname };
}

/** With one PUT. */
export async function uploadFile(uploader: Uploader, upload: NewUpload) {
  const { path } = await beginUpload(uploader, upload);
  return dataOf(await putBytes(uploader, path, upload.bytes));
}

export function putBytes({ call, key }: Uploader, path: string, bytes: Uint8Array) {
  return call('PUT', path, { ...withKey(key), body: bytes, headers: BYTES });
}

/** The same, and waits until it was checked. */
export async function addFile(uploader: Uploader, upload: NewUpload) {
  return waitForCheck(uploader, (await uploadFile(uploader, upload)).id);
}

export async function waitForCheck({ call, key }: Uploader, fileId: string) {
  for (const until = Date.now() + DEADLINE_MS; ;) {
    const file = dataOf(await call('GET', `/api/files/${fileId}`, withKey(key)));
    if (!/UPLOADING|CHECKING/.test(file.status)) return file;
    if (Date.now() > until) throw new Error(`file ${fileId} is still ${file.status}`);
    await sleep(20);
  }
}

/** A piece, as tus clients send it. */
export function patchBytes(
  { call, key }: Uploader,
  path: string,
  offset: number,
  bytes: Uint8Array,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const own = { 'upload-offset': String(offset), ...TUS, ...headers };
  return call('PATCH', path, { ...withKey(key), body: bytes, headers: own });
}

/** How far it is. */
export async function offsetOf({ call, key }: Uploader, path: string): Promise<number> {
  const reply = await call('HEAD', path, { ...withKey(key), headers: TUS });
  expect(reply.status).toBe(200);
  return Number(reply.headers.get('upload-offset'));
}

const DEADLINE_MS = 60_000;

export const TUS = {
  'tus-resumable': '1.0.0',
  'content-type': 'application/offset+octet-stream',
};
const BYTES = { 'content-type': 'application/octet-stream' };

function withKey(key: string | undefined): CallOptions {
  return key === undefined ? {} : { key };
}
