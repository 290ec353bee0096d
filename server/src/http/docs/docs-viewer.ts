import { parentPort } from 'node:worker_threads';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import plugin from '@scalar/fastify-api-reference';
import Fastify from 'fastify';

/** The viewer's script, plain and compressed, as the thread sends it. */
export interface Viewer {
  identity: Uint8Array;
  br: Uint8Array;
  gzip: Uint8Array;
}

/** The best quality takes ten times as long and saves only a tenth. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } };

/** The package exposes its browser bundle only through a Fastify plugin, so the plugin gets its own instance. */
async function readViewer(): Promise<Buffer> {
  const holder = Fastify();
  await holder.register(plugin, { routePrefix: '/viewer', configuration: { content: {} } });
  const response = await holder.inject('/viewer/js/scalar.js');
  await holder.close();
  if (response.statusCode !== 200) throw new Error('the API reference viewer was not found');
  return response.rawPayload;
}

const identity = await readViewer();
const viewer: Viewer = {
  identity,
  br: brotliCompressSync(identity, QUALITY),
  gzip: gzipSync(identity),
};
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
parentPort?.postMessage(viewer);
