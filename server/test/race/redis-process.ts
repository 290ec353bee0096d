import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { spawnProgram, type Spawned } from './processes.ts';

/** A Redis for one test, which may kill it. It stores nothing on disk. */
export interface RedisProcess {
  url: string;
  kill(): Promise<void>;
  restart(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
}

export async function startRedis(): Promise<RedisProcess> {
  const port = await findFreePort();
  let running = await spawnRedis(port);
  return {
    url: `redis://127.0.0.1:${port}`,
    async kill() {
      await running.kill('SIGKILL');
    },
    async restart() {
      running = await spawnRedis(port);
    },
    signal: (signal) => running.signal(signal),
  };
}

async function spawnRedis(port: number): Promise<Spawned> {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const redis = spawnProgram('redis-server', args);
  await redis.waitForLine(/Ready to accept connections/);
  return redis;
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
