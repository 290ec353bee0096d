import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeXlsx } from '../../../test/harness/files/office.ts';
import { lines, makeEndlessPdf, makePdf } from '../../../test/harness/files/pdf.ts';
import {
  readAll,
  sample,
  startReader,
  writeFileToRead,
} from '../../../test/harness/files/reader.ts';
import { useFolder } from '../../../test/harness/use-folder.ts';
import type { FileReader, FileToRead } from './file-reader.ts';
import type { ReaderLimits } from './limits.ts';

const HOST = fileURLToPath(new URL('../../../test/harness/files/reader-host.ts', import.meta.url));
const folder = useFolder();
const readers: FileReader[] = [];

afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close()));
});

function start(limits?: Partial<ReaderLimits>): FileReader {
  const reader = startReader(limits);
  readers.push(reader);
  return reader;
}

const short = () => writeFileToRead(folder.path, 'short.txt', 'short');

/** Takes more than a second and many megabytes. */
let large: FileToRead;

beforeAll(async () => {
  const rows = Array.from({ length: 25_000 }, (_, index) => [
    `Name ${index} ${'x'.repeat(200)}`,
    `${index}`,
  ]);
  large = await writeFileToRead(folder.path, 'large.xlsx', makeXlsx([['Name', 'Number'], ...rows]));
});

describe('a process', () => {
  it('is killed when it takes too much memory, and the next file has a new one', async () => {
    const reader = start({ memoryBytes: 100 * 1024 ** 2 });
    expect(await readAll(reader, large)).toMatchObject({
      status: 'FAILED',
      reason: 'Reading this file took too much memory.',
    });
    expect(await readAll(reader, await short())).toMatchObject({ status: 'READY', text: 'short' });
  });

  it('ends by itself when its heap is full, and the next file has a new one', async () => {
    const reader = start({ heapMegabytes: 40 });
    const numbers = `[${'1,'.repeat(1_900_000)}1]`;
    const file = await writeFileToRead(folder.path, 'numbers.json', numbers);
    const { reason, status } = await readAll(reader, file);
    expect({ status, reason }).toEqual({
      status: 'FAILED',
      reason: 'The program that reads files stopped at this file.',
    });
    expect(await readAll(reader, await short())).toMatchObject({ status: 'READY', text: 'short' });
  });

  it('is killed when it takes too long, and the next file has a new one', async () => {
    const reader = start({ textMs: 400 });
    expect(await readAll(reader, large)).toMatchObject({
      status: 'FAILED',
      reason: 'This file took too long to read.',
    });
    await expect.poll(async () => (await readAll(reader, await short())).status).toBe('READY');
  });

  it('is killed when nobody wants the text any more', async () => {
    const reader = start();
    const stop = new AbortController();
    const reading = readAll(reader, large, { signal: stop.signal });
    const waiting = readAll(reader, large, { signal: stop.signal });
    await sleep(100);
    stop.abort(new Error('not wanted'));
    const rejected = [reading, waiting].map((one) => expect(one).rejects.toThrow('not wanted'));
    await Promise.all(rejected);
    expect(await readAll(reader, await short())).toMatchObject({ text: 'short' });
    await expect(readAll(reader, large, { signal: stop.signal })).rejects.toThrow('not wanted');
  });

  it('is not blamed for how long it takes to store a page', async () => {
    const reader = start({ textMs: 5000, waitFactor: 1 });
    const { path } = await writeFileToRead(
      folder.path,
      'slow.pdf',
      makePdf([{}, {}].map(() => ({ texts: lines(['Some text of a page.']) }))),
    );
    const file = { path, name: 'slow.pdf', mediaType: 'application/pdf' };
    const stored: number[] = [];
    const store = async ({ page }: { page: number }) => {
      await sleep(3000);
      stored.push(page);
    };
    expect(await reader.readText(file, store)).toMatchObject({ status: 'READY', pages: 2 });
    expect(stored).toEqual([1, 2]);
  });

  it('stops when a page can’t be stored, and the error is the caller’s', async () => {
    const reader = start();
    const store = async () => {
      throw new Error('the database is gone');
    };
    await expect(reader.readText(await short(), store)).rejects.toThrow('the database is gone');
    expect(await readAll(reader, await short())).toMatchObject({ text: 'short' });
  });

  it('has nothing of the environment, and can’t run text as code', async () => {
    process.env['SECRETS_KEY_OF_TEST'] = 'secret';
    const program = new URL('../../../test/harness/files/telling-program.ts', import.meta.url);
    const reader = startReader({}, { program });
    readers.push(reader);
    const { text } = await readAll(reader, await short());
    delete process.env['SECRETS_KEY_OF_TEST'];
    expect(JSON.parse(text)).toEqual({ environment: [], canEvaluate: false, isLowPriority: true });
  });

  it('ends with the server, even if that is killed while a page never ends', async () => {
    const file = await writeFileToRead(folder.path, 'endless.pdf', makeEndlessPdf('Some text.'));
    const server = spawn(process.execPath, [HOST, file.path], { stdio: 'ignore' });
    const childOf = async (): Promise<number> => {
      const path = `/proc/${server.pid}/task/${server.pid}/children`;
      return Number((await readFile(path, 'utf8')).split(' ')[0]);
    };
    await expect.poll(childOf).toBeGreaterThan(0);
    const child = await childOf();
    await expect.poll(() => processorTicks(child)).toBeGreaterThan(100);
    server.kill('SIGKILL');
    await expect.poll(() => isAlive(child)).toBe(false);
  });

  it('ends when nobody has work for it', async () => {
    const program = new URL('../../../test/harness/files/telling-program.ts', import.meta.url);
    const reader = startReader({ idleMs: 50 }, { program });
    readers.push(reader);
    const pids = new Set<number>();
    for (let times = 0; times < 2; times++) {
      const { pages } = await readAll(reader, await short());
      pids.add(pages ?? 0);
      await expect.poll(() => isAlive(pages ?? 0)).toBe(false);
    }
    expect(pids.size).toBe(2);
  });
});

describe('lanes', () => {
  it('a long text holds up no preview', async () => {
    const reader = start();
    const order: string[] = [];
    const long = readAll(reader, large).then(() => order.push('long text'));
    expect(await reader.preview(sample('report.pdf'), { width: 100 })).not.toBeNull();
    order.push('preview');
    await long;
    expect(order).toEqual(['preview', 'long text']);
  });

  it('refuse work once they are closed', async () => {
    const reader = start();
    const reading = readAll(reader, large);
    await sleep(50);
    await reader.close();
    await expect(reading).rejects.toThrow('closed');
    await expect(readAll(reader, await short())).rejects.toThrow('closed');
  });
});

/** Hundredths of a second. */
async function processorTicks(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(' ');
  return Number(fields[13]);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
