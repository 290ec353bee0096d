/**
 * A process that reads files which anyone may have made. It has no environment, runs no code from them, calls nobody,
 * and is killed by the server if it takes too long or too much.
 */
import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { FromChild, ReadPage, Result, ToChild, Work } from '../protocol.ts';
import type { ReaderLimits } from '../limits.ts';
import { runText } from './run-text.ts';

forbidCalls();
watchParent();

let onStored: ((isMoreWanted: boolean) => void) | undefined;

process.on('message', (message: ToChild) => {
  if (message.kind !== 'work') onStored?.(message.kind === 'stored');
  else void answer(message.work, message.limits);
});
process.on('disconnect', () => process.exit());
send({ kind: 'ready' });

async function answer(work: Work, limits: ReaderLimits): Promise<void> {
  try {
    send({ kind: 'done', result: await run(work, limits) });
  } catch (error) {
    send({ kind: 'error', problem: error instanceof Error ? error.message : String(error) });
  }
}

async function run(work: Work, limits: ReaderLimits): Promise<Result> {
  const { file } = work;
  if (work.kind === 'text') {
    const opened = (pages: number | null) => send({ kind: 'opened', pages });
    return runText(work, limits, { opened, send: sendPage });
  }
  if (work.kind === 'clean') {
    const { cleanPicture } = await import('../pictures/clean-picture.ts');
    return { kind: 'clean', picture: await cleanPicture(file, work.copyTo, limits) };
  }
  if (work.kind === 'find') {
    const { findOnPage } = await import('../pdf/find-on-page.ts');
    return { kind: 'find', boxes: await findOnPage(file, work, limits) };
  }
  const { countPages, preview } = await import('../pictures/preview.ts');
  if (work.kind === 'pages') return { kind: 'pages', pages: await countPages(file, limits) };
  return { kind: 'preview', picture: await preview(file, work, limits) };
}

function sendPage(page: ReadPage): Promise<boolean> {
  return new Promise((resolve) => {
    onStored = resolve;
    send({ kind: 'page', page });
  });
}

function send(message: FromChild): void {
  process.send?.(message);
}

/** No library here needs to. A sandbox it is not: that is what the limits and the empty environment are for. */
function forbidCalls(): void {
  const refuse = (): never => {
    throw new Error('the process that reads files calls nobody');
  };
  Socket.prototype.connect = refuse;
  globalThis.fetch = refuse;
}

/** Ends the process even in the middle of an endless loop, if the server is gone without a word. */
function watchParent(): void {
  const watcher = new Worker(new URL('watch-parent.ts', import.meta.url), {
    workerData: process.ppid,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  });
  watcher.unref();
}
