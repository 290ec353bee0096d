/** Loaded into the server with `--import`: reports how long its event loop was blocked at a time, and its load. */
import { isMainThread } from 'node:worker_threads';

/** Since the last report. */
export interface Stretch {
  /** The most processor time that the thread used between two turns, which others had to wait for. */
  busyMs: number;
  /** The longest time between two turns, including other processes' share of the machine. */
  lateMs: number;
  /** 99 of 100 times between two turns are at most this long. */
  lateP99Ms: number;
  /** Of all threads. */
  cpuMs: number;
  /** Now. */
  rssMb: number;
}

const EVERY_MS = 2;

if (isMainThread && process.send) watch();

function watch(): void {
  let longestBusy = 0;
  let late: number[] = [];
  let cpuAt = process.cpuUsage();
  let busyAt = busyMs();
  let roundAt = performance.now();
  setInterval(() => {
    const busy = busyMs();
    const now = performance.now();
    longestBusy = Math.max(longestBusy, busy - busyAt);
    late.push(now - roundAt - EVERY_MS);
    busyAt = busy;
    roundAt = now;
  }, EVERY_MS).unref();
  process.on('message', () => {
    const { user, system } = process.cpuUsage(cpuAt);
    const sorted = late.toSorted((a, b) => a - b);
    const report: Stretch = {
      busyMs: longestBusy,
      lateMs: sorted.at(-1) ?? 0,
      lateP99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
      cpuMs: (user + system) / 1000,
      rssMb: process.memoryUsage.rss() / 1024 ** 2,
    };
    process.send?.(report);
    longestBusy = 0;
    late = [];
    cpuAt = process.cpuUsage();
  });
  process.channel?.unref();
}

function busyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
