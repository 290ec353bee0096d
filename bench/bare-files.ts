/** The baseline: streams to files of a folder, forced to disk at the end, and streams back. Nothing is checked. */
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const folder = process.env['DATA_DIR'] ?? '';

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = join(folder, basename(request.url ?? ''));
  if (request.method === 'PUT') {
    await pipeline(request, createWriteStream(path, { flush: true }));
    response.writeHead(204).end();
  } else if (request.method === 'DELETE') {
    await rm(path);
    response.writeHead(204).end();
  } else {
    response.writeHead(200, { 'content-length': (await stat(path)).size });
    await pipeline(createReadStream(path), response);
  }
}

const server = createServer((request, response) => void serve(request, response));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stderr.write(`{"port":${typeof address === 'object' ? address?.port : ''}}\n`);
});
process.once('SIGTERM', () => process.exit(0));
