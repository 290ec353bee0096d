import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createCaller, type Call } from '../harness/clients/client.ts';
import { besidePooler } from '../harness/databases/postgres-servers.ts';

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process that a test started, with everything it has printed, line by line. */
export interface Spawned {
  pid: number;
  lines: readonly string[];
  exited: Promise<Exit>;
  /** The first line that matches, already printed or not; rejects if the process ends without it. */
  waitForLine(pattern: RegExp): Promise<string>;
  /** The same, for lines printed from now on. */
  waitForNextLine(pattern: RegExp): Promise<string>;
  tell(line: string): void;
  signal(signal: NodeJS.Signals): void;
  /** Sends the signal, and waits for the process to end. */
  kill(signal?: NodeJS.Signals): Promise<Exit>;
}

export interface ServerProcess extends Spawned {
  origin: string;
  call: Call;
}

const UNLIMITED = { RATE_LIMIT_READS: '1000000', RATE_LIMIT_WRITES: '1000000' };
/** Processes that share a database need the same key; on its own folder a server creates one. */
const SHARED_SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');
/** Where `main.ts` has it. The processes that are not started by it would compile everything each time. */
const COMPILED = fileURLToPath(new URL('../../../node_modules/.cache/atrium', import.meta.url));
const WITHOUT_MODEL = `--import=${new URL('./without-model.ts', import.meta.url).href}`;
const alive = new Set<ChildProcess>();

/** `atrium serve` on a port that the system chooses; limits are off by default. */
export function startServer(
  env: Record<string, string>,
  options: string[] = [],
): Promise<ServerProcess> {
  return untilListening(
    spawnNode('../../src/main.ts', ['serve', '--no-web', ...options], serverEnv(env)),
  );
}

/** The same application with test routes and points at which it halts: see `halting-server.ts`. */
export function startHaltingServer(env: Record<string, string>): Promise<ServerProcess> {
  return untilListening(spawnNode('./halting-server.ts', ['serve', '--no-web'], serverEnv(env)));
}

/** The same with shorter leases on chat connections: see `channel-server.ts`. */
export function startChannelServer(env: Record<string, string>): Promise<ServerProcess> {
  return untilListening(spawnNode('./channel-server.ts', [], serverEnv(env)));
}

/** The same from other sources: see `release-folder.ts`. */
export function startMain(
  main: string,
  env: Record<string, string>,
  options: string[] = [],
): Promise<ServerProcess> {
  return untilListening(spawnMain(main, ['serve', '--no-web', ...options], env));
}

/** The same with a command in front that starts it elsewhere. */
export function startBehind(
  command: readonly string[],
  env: Record<string, string>,
): Promise<ServerProcess> {
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
  const [program = '', ...rest] = command;
  const args = [...rest, process.execPath, main, 'serve', '--no-web'];
  const { PATH = '' } = process.env;
  return untilListening(spawnProgram(program, args, { PATH, PORT: '0', ...serverEnv(env) }));
}

export function spawnMain(main: string, args: string[], env: Record<string, string>): Spawned {
  return spawnNode(main, args, serverEnv(env));
}

export function startServers(count: number, env: Record<string, string>): Promise<ServerProcess[]> {
  return Promise.all(Array.from({ length: count }, () => startServer(env)));
}

/** Runs a module of ours with this Node. It inherits only what a process needs to run. */
export function spawnNode(
  module: string,
  args: string[] = [],
  env: Record<string, string> = {},
): Spawned {
  const url = new URL(module, import.meta.url);
  const file = fileURLToPath(url);
  // Other releases, which are in temporary folders, would only fill it.
  const isOurs = url.href.startsWith(new URL('../../', import.meta.url).href);
  const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env;
  const direct = besidePooler(env['DATABASE_URL']);
  const compiled = isOurs && { NODE_COMPILE_CACHE: COMPILED };
  const all = { PATH, HOME, TMPDIR, PORT: '0', ...compiled, ...direct, ...env };
  return spawnProgram(process.execPath, [file, ...args], all);
}

export function spawnProgram(
  program: string,
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
): Spawned {
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  alive.add(child);
  const lines: string[] = [];
  const watchers = new Set<() => void>();
  const wake = () => {
    for (const watch of watchers) watch();
  };
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      wake();
    });
  }
  child.stdin.on('error', () => {}); // It may have ended already.
  const exited = once(child, 'close').then(([code, signal]): Exit => {
    alive.delete(child);
    return { code, signal };
  });
  void exited.then(wake);

  const findFrom = (start: number, pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const watch = () => {
        const found = lines.slice(start).find((line) => pattern.test(line));
        if (found === undefined && alive.has(child)) return;
        watchers.delete(watch);
        if (found !== undefined) resolve(found);
        else reject(new Error(`ended without ${String(pattern)}:\n${lines.slice(-10).join('\n')}`));
      };
      watchers.add(watch);
      watch();
    });

  return {
    pid: child.pid ?? 0,
    lines,
    exited,
    waitForLine: (pattern) => findFrom(0, pattern),
    waitForNextLine: (pattern) => findFrom(lines.length, pattern),
    tell: (line) => void child.stdin.write(`${line}\n`),
    signal: (signal) => void child.kill(signal),
    async kill(signal = 'SIGKILL') {
      child.kill(signal);
      return exited;
    },
  };
}

/** For afterEach: ends whatever a test, failed or not, has left running. */
export async function killAll(): Promise<void> {
  await Promise.all(
    [...alive].map(async (child) => {
      const gone = once(child, 'close');
      child.kill('SIGKILL');
      await gone;
    }),
  );
}

function serverEnv(env: Record<string, string>): Record<string, string> {
  const secrets = env['DATABASE_URL'] && { SECRETS_KEY: SHARED_SECRETS_KEY };
  // Nothing outside this machine is called.
  return withoutModel({ ...UNLIMITED, LINK_PREVIEWS: 'off', ...secrets, ...env });
}

/** For processes whose memories need no vectors: see `without-model.ts`. */
export function withoutModel(env: Record<string, string>): Record<string, string> {
  return { ...env, NODE_OPTIONS: [WITHOUT_MODEL, env['NODE_OPTIONS'] ?? ''].join(' ').trim() };
}

async function untilListening(spawned: Spawned): Promise<ServerProcess> {
  const line = await spawned.waitForLine(/"msg":"listening"/);
  const { port } = JSON.parse(line) as { port: number };
  const origin = `http://127.0.0.1:${port}`;
  return { ...spawned, origin, call: createCaller(origin) };
}
