import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ConnectionError, NotFoundError, UsageError, type UploadProgress } from '../src/index.ts';
import { connect, failure, openSession } from './harness/client.ts';
import { startCutter } from './harness/cutter.ts';

const { origin, orgId } = inject('server');
const client = connect();
let projectId = '';
let slug = '';
let sessionId = '';
let folder = '';

beforeAll(async () => {
  ({ projectId, slug, sessionId } = await openSession(client));
  folder = await mkdtemp(join(tmpdir(), 'atrium-sdk-files-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const bytesOf = async (stream: ReadableStream<Uint8Array>) =>
  Buffer.from(await new Response(stream).arrayBuffer());

describe('files.upload', () => {
  const content = randomBytes(700_000);

  it.each([
    ['bytes', () => new Uint8Array(content), {}],
    ['an ArrayBuffer', () => new Uint8Array(content).buffer, {}],
    ['a Blob', () => new Blob([content], { type: 'application/zip' }), {}],
    ['a File', () => new File([content], 'own.bin'), {}],
    ['a stream', () => new Blob([content]).stream(), { size: content.length }],
    ['a stream of Node', () => Readable.from([content]), { size: content.length }],
  ] as const)('stores %s as they are, and says how far it is', async (_, source, more) => {
    const steps: UploadProgress[] = [];
    const onProgress = (step: UploadProgress) => void steps.push(step);
    const options = { name: 'data.bin', onProgress, ...more };
    const file = await client.files.upload(projectId, source(), options);
    expect(file).toMatchObject({ name: 'data.bin', size: content.length, projectId });
    expect(['CHECKING', 'READY']).toContain(file.status);
    expect(steps[0]).toEqual({ fileId: file.id, sent: 0, total: content.length });
    expect(steps.at(-1)?.sent).toBe(content.length);
    await client.files.waitUntilReady(file.id);
    expect(await bytesOf(await client.files.download(file.id))).toEqual(content);
  });

  it('takes the name of a path, and reads it piece by piece', async () => {
    const path = join(folder, 'from a path.bin');
    await writeFile(path, content);
    const { id, name } = await client.files.upload(projectId, path);
    expect(name).toBe('from a path.bin');
    await client.files.waitUntilReady(id);
    expect(await bytesOf(await client.files.download(id))).toEqual(content);
  });

  it('goes on where it was after the connection broke in the middle of a piece', async () => {
    const { baseURL, requests } = await startCutter(origin, { after: 100_000, times: 2 });
    const source = createReadStream(await saved('cut.bin', content));
    const far = connect({ baseURL });
    const file = await far.files.upload(projectId, source, { name: 'cut', size: content.length });
    await client.files.waitUntilReady(file.id);
    expect(await bytesOf(await client.files.download(file.id))).toEqual(content);
    expect(requests.filter((line) => line.startsWith('HEAD')).length).toBeGreaterThanOrEqual(2);
  });

  it('is resumed by another process with the same bytes', async () => {
    let fileId = '';
    const stopping = new AbortController();
    const onProgress = (step: UploadProgress) => {
      ({ fileId } = step);
      if (step.sent > 0) stopping.abort();
    };
    const { signal } = stopping;
    const first = client.files.upload(projectId, content, { name: 'late', onProgress, signal });
    await expect(first).rejects.toThrow('aborted');
    expect((await client.files.get(fileId)).status).toBe('UPLOADING');

    const wrong = connect().files.upload(projectId, content.subarray(1), {
      name: 'late',
      resume: fileId,
    });
    expect((await failure(wrong, UsageError)).message).toContain('700000 bytes');
    const steps: number[] = [];
    const file = await connect().files.upload(projectId, new Blob([content]).stream(), {
      name: 'late',
      size: content.length,
      resume: fileId,
      onProgress: ({ sent }) => void steps.push(sent),
    });
    expect(file.id).toBe(fileId);
    expect(steps[0]).toBeGreaterThan(0);
    await client.files.waitUntilReady(fileId);
    expect(await bytesOf(await client.files.download(fileId))).toEqual(content);
    // Once more, when everything is there.
    const again = await client.files.upload(projectId, content, { name: 'late', resume: fileId });
    expect(again).toMatchObject({ id: fileId, size: content.length });
  });

  it('gives up when nothing arrives any more, and says so', async () => {
    const { baseURL } = await startCutter(origin, { after: 0, times: Infinity });
    const far = connect({ baseURL });
    const upload = far.files.upload(projectId, content, { name: 'no', maxRetries: 1 });
    expect(await failure(upload, ConnectionError)).toMatchObject({ code: 'CONNECTION_ERROR' });
  });

  it.each([
    ['bytes without a name', () => client.files.upload(projectId, content), 'name'],
    [
      'a stream of unknown size',
      () => client.files.upload(projectId, new Blob([content]).stream(), { name: 'a' }),
      'size',
    ],
    [
      'a path that is not there',
      () => client.files.upload(projectId, '/no/such.pdf'),
      '/no/such.pdf',
    ],
    [
      'a size that is another one',
      () => client.files.upload(projectId, content, { name: 'a', size: 3 }),
      '`size` is 3',
    ],
  ])('%s: UsageError, and nothing is sent', async (_, upload, said) => {
    expect((await failure(upload(), UsageError)).message).toContain(said);
  });

  it('a stream that ends too early: UsageError', async () => {
    const size = content.length + 1;
    const upload = client.files.upload(projectId, new Blob([content]).stream(), {
      name: 'a',
      size,
    });
    expect((await failure(upload, UsageError)).message).toContain('ended after');
  });

  it('a Project that is not there: NotFoundError', async () => {
    await failure(client.files.upload('nope', content, { name: 'a' }), NotFoundError);
  });
});

describe('what has files', () => {
  it('messages and tasks take them, and lists show them', async () => {
    const file = await client.files.upload(projectId, Buffer.from('Notice: three months.\n'), {
      name: 'terms.txt',
      mediaType: 'text/plain',
    });
    const message = await client.messages.post(slug, sessionId, { fileIds: [file.id] });
    expect(message).toMatchObject({ body: '', attachments: [{ fileId: file.id }] });
    const task = await client.tasks.create(projectId, { title: 'Read the terms' });
    const changed = await client.tasks.setFiles(projectId, task.id, { fileIds: [file.id] });
    expect(changed.attachments).toMatchObject([{ fileId: file.id, name: 'terms.txt' }]);

    const ready = await client.files.waitUntilReady(file.id);
    expect(ready).toMatchObject({ mediaType: 'text/plain', sha256: expect.any(String) });
    const start = await client.files.download(file.id, {}, { range: [0, 5] });
    expect((await bytesOf(start)).toString()).toBe('Notice');
    const rest = await client.files.download(file.id, {}, { range: [8] });
    expect((await bytesOf(rest)).toString()).toBe('three months.\n');

    const shared = await client.files.update(file.id, { name: 'terms 2.txt', isShared: true });
    expect(shared).toMatchObject({ name: 'terms 2.txt', isShared: true });
    const found = await client.files.list(projectId, { query: 'terms', type: 'text/' });
    expect(found.items.map(({ id }) => id)).toEqual([file.id]);
    await client.files.waitUntilReady(file.id, { text: true });
    expect(await client.files.find(file.id, { query: 'THREE months' })).toMatchObject({ total: 1 });
    const everywhere = await client.files.listAll({ query: 'terms 2' });
    expect(everywhere.items.map(({ id }) => id)).toContain(file.id);
    const usage = await client.files.usage(orgId);
    expect(usage.bytes).toBeGreaterThan(0);
    expect(usage.bytes).toBeLessThan(usage.maxBytes);
    await client.files.delete(file.id);
    await failure(client.files.get(file.id), NotFoundError);
    expect((await client.tasks.get(projectId, task.id)).attachments).toEqual([]);
  });
});

async function saved(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}
