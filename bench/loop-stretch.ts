/** Loaded into the server with `--import`: reports how long its event loop was blocked at a time. */
import { isMainThread } from 'node:worker_threads';

export interface Stretch {
  /** The most processor time that the thread used between two turns, which others had to wait for. */
  busyMs: number;
  /** The longest time between two turns, including other processes' share of the machine. */
  lateMs: number;
}

const EVERY_MS = 2;

if (isMainThread && process.send) watch();

function watch(): void {
  let longest: Stretch = { busyMs: 0, lateMs: 0 };
  let busyAt = busyMs();
  let roundAt = performance.now();
  setInterval(() => {
    const busy = busyMs();
    const now = performance.now();
    longest = {
      busyMs: Math.max(longest.busyMs, busy - busyAt),
      lateMs: Math.max(longest.lateMs, now - roundAt - EVERY_MS),
    };
    busyAt = busy;
    roundAt = now;
  }, EVERY_MS).unref();
  process.on('message', () => {
    process.send?.(longest);
    longest = { busyMs: 0, lateMs: 0 };
  });
  process.channel?.unref();
}

function busyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
