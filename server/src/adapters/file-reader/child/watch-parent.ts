import { workerData } from 'node:worker_threads';

const EVERY_MS = 1000;

setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL');
}, EVERY_MS);
