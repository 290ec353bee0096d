import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A real server on the embedded engine, with its own process and data folder. */
export interface AtriumServer {
  origin: string;
  key: string;
  orgId: string;
  userId: string;
  dataDir: string;
  stop: () => Promise<void>;
}

const MAIN = fileURLToPath(new URL('../../../server/src/main.ts', import.meta.url));

export async function startAtrium(env: Record<string, string> = {}): Promise<AtriumServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'atrium-sdk-js-'));
  const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env;
  const child = spawn(process.execPath, [MAIN, 'serve', '--no-web'], {
    env: {
      PATH,
      HOME,
      TMPDIR,
      PORT: '0',
      DATA_DIR: dataDir,
      CORS_ORIGINS: '*',
      RATE_LIMIT_READS: '1000000',
      RATE_LIMIT_WRITES: '1000000',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const lines: string[] = [];
  const listening = new Promise<number>((resolve, reject) => {
    const read = (line: string) => {
      lines.push(line);
      if (line.includes('"msg":"listening"')) resolve((JSON.parse(line) as { port: number }).port);
    };
    createInterface({ input: child.stdout }).on('line', read);
    createInterface({ input: child.stderr }).on('line', read);
    child.once('close', () =>
      reject(new Error(`the server exited:\n${lines.slice(-20).join('\n')}`)),
    );
  });
  const origin = `http://127.0.0.1:${await listening}`;
  const first = await readWhenWritten(join(dataDir, 'first-run.json'));
  return {
    origin,
    ...(JSON.parse(first) as { key: string; orgId: string; userId: string }),
    dataDir,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function readWhenWritten(file: string): Promise<string> {
  for (let tries = 0; ; tries++) {
    try {
      const text = await readFile(file, 'utf8');
      if (text.endsWith('}\n')) return text;
    } catch (error) {
      if (tries > 2_000) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
