import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { connect, type AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Authority } from './certificates.ts';
import { freePort } from '../processes/free-port.ts';

export interface EverythingServer {
  /** For MCP_ALLOW_HOSTS. */
  host: string;
  url: string;
  /** What it printed: a line for each session that begins or ends. */
  output(): string;
  close(): Promise<void>;
}

/** The protocol's own test server as its package runs it, behind TLS, which it does not speak itself. */
export async function startEverythingServer(authority: Authority): Promise<EverythingServer> {
  const port = await freePort();
  const entry = createRequire(import.meta.url).resolve(
    '@modelcontextprotocol/server-everything/dist/index.js',
  );
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, PORT: String(port) };
  const child = spawn(process.execPath, [entry, 'streamableHttp'], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => (output += data.toString()));
  }
  const exited = once(child, 'exit');
  await untilListening(port);

  const proxy = createTlsServer(authority.issue(['localhost']), (secured) => {
    const plain = connect(port, '127.0.0.1');
    secured.pipe(plain).pipe(secured);
    for (const socket of [secured, plain]) {
      socket.on('error', () => {});
      socket.on('close', () => void (secured.destroy(), plain.destroy()));
    }
  });
  proxy.on('tlsClientError', () => {});
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const host = `localhost:${(proxy.address() as AddressInfo).port}`;
  return {
    host,
    url: `https://${host}/mcp`,
    output: () => output,
    async close() {
      proxy.close();
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function untilListening(port: number): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(50)) {
    const socket = connect(port, '127.0.0.1');
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isThere) return;
  }
  throw new Error('the server did not start in 30 seconds');
}
