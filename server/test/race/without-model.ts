import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

const MODEL = '/embeddings/local/worker.ts';
const UNLOADABLE = `require('node:worker_threads').parentPort.postMessage({ kind: 'unloadable', problem: 'left out' })`;

/**
 * Loaded before the server. Loading the model takes as long as the rest of a start, and the races are about rows:
 * memories are stored, and found by their words, as on a machine that cannot load it.
 */
class Worker extends threads.Worker {
  constructor(...[file, options]: ConstructorParameters<typeof threads.Worker>) {
    if (String(file).endsWith(MODEL)) super(UNLOADABLE, { ...options, eval: true });
    else super(file, options);
  }
}

Object.assign(threads, { Worker });
syncBuiltinESMExports();
