import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/config/config.ts';
import { startTestServer } from '../harness/processes/server.ts';
import { variablesRead } from '../harness/variables-read.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const VARIABLES = variablesRead();

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'atrium-deploy-'))));
afterAll(() => rmSync(folder, { recursive: true }));

/** One line per instruction. */
const dockerfile = read('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '');
const instructions = (name: string) =>
  dockerfile
    .split('\n')
    .flatMap((line) => (line.startsWith(`${name} `) ? line.slice(name.length + 1) : []));

describe('Dockerfile', () => {
  const copied = instructions('COPY')
    .filter((line) => !line.startsWith('--from'))
    .flatMap((line) => line.split(' ').slice(0, -1));

  it('copies files that exist, and that .dockerignore lets through', () => {
    const allowed = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path);
    for (const path of copied) {
      expect(existsSync(join(ROOT, path)), path).toBe(true);
      expect(allowed).toContain(allowed.includes(dirname(path)) ? dirname(path) : path);
    }
    expect(allowed.filter((path) => !existsSync(join(ROOT, String(path))))).toEqual([]);
  });

  it('gives npm the manifest of every workspace', () => {
    const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
    const manifests = copied.filter((path) => path.endsWith('/package.json'));
    expect(new Set(manifests)).toEqual(new Set(workspaces.map((name) => `${name}/package.json`)));
  });

  it('sets variables that the configuration reads', () => {
    const names = instructions('ENV').flatMap((line) =>
      line.split(' ').map((pair) => pair.split('=')[0]),
    );
    expect(names.length).toBeGreaterThan(0);
    expect(VARIABLES).toEqual(expect.arrayContaining(names));
  });

  it('has the version of Node that the packages include', () => {
    const { optionalDependencies } = JSON.parse(read('package.json')) as {
      optionalDependencies: Record<string, string>;
    };
    const [version] = new Set(Object.values(optionalDependencies));
    expect(instructions('ARG')).toEqual([`NODE_IMAGE=node:${version}-bookworm-slim`]);
  });

  it('has one base, which the builder can replace, and does not run as root', () => {
    const bases = new Set(instructions('FROM').map((line) => line.split(' ')[0]));
    expect([...bases]).toEqual(['${NODE_IMAGE}', 'manifests']);
    expect(instructions('USER')).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
    expect(instructions('VOLUME')).toEqual([/DATA_DIR=(\S+)/.exec(dockerfile)?.[1]]);
  });

  it('starts a file that exists, and listens where the probe looks', async () => {
    const [, entry = ''] = JSON.parse(instructions('ENTRYPOINT')[0] ?? '[]') as string[];
    expect(existsSync(join(ROOT, entry))).toBe(true);
    expect(instructions('EXPOSE')).toEqual([String(readConfig({}).port)]);
    const [probe = ''] = instructions('HEALTHCHECK');
    const [node = '', flag = '', script = ''] = JSON.parse(
      probe.slice(probe.indexOf('[')),
    ) as string[];
    expect([node, flag]).toEqual(['node', '-e']);
    const server = await startTestServer();
    const check = (port: string) =>
      exitCode(process.execPath, [flag, script], { PORT: port, PATH: process.env['PATH'] });
    try {
      expect(await check(new URL(server.origin).port)).toBe(0);
    } finally {
      await server.stop();
    }
    expect(await check(new URL(server.origin).port)).toBe(1);
  });
});

interface Service {
  image?: string;
  build?: string;
  mem_limit?: string;
  pids_limit?: number;
  command?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  volumes?: string[];
  networks?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[] };
  restart?: string;
  read_only?: boolean;
  cap_drop?: string[];
  profiles?: string[];
  ports?: string[];
}
interface Compose {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, unknown>;
  networks: Record<string, { internal?: boolean } | null>;
}

describe('compose.yaml', () => {
  const compose = parse(read('compose.yaml'), { merge: true }) as Compose;
  const { server, worker, postgres, redis, caddy, clamav, ...others } = compose.services;
  const services = Object.entries(compose.services);

  it('has the services, restarted and started in order of health', () => {
    expect(others).toEqual({});
    for (const [name, service] of services) {
      expect(service.restart, name).toBe('unless-stopped');
      for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
        expect(condition).toBe('service_healthy');
        // The server's is in the image.
        expect(needed === 'server' || compose.services[needed]?.healthcheck?.test).toBeTruthy();
      }
    }
  });

  it('takes exact versions of images, and limits the memory and the processes of each', () => {
    for (const [name, service] of services) {
      if (service.build === undefined) expect(service.image, name).toMatch(/:\d+\.\d+\.\d+\b/);
      expect(service.mem_limit, name).toMatch(/^[1-9]\d*[mg]$/);
      expect(service.pids_limit, name).toBeGreaterThan(0);
    }
    // Redis drops entries before the system ends it.
    const most = redis?.command?.at((redis.command.indexOf('--maxmemory') || -1) + 1) ?? '';
    expect(megabytes(most)).toBeLessThan(megabytes(redis?.mem_limit ?? ''));
  });

  const megabytes = (size: string) => Number.parseInt(size, 10) * (/g/.test(size) ? 1024 : 1);

  it('names secrets, volumes and networks that it defines', () => {
    for (const [name, service] of services) {
      expect(Object.keys(compose.secrets), name).toEqual(
        expect.arrayContaining(service.secrets ?? []),
      );
      expect(Object.keys(compose.networks), name).toEqual(
        expect.arrayContaining(service.networks ?? []),
      );
      const sources = (service.volumes ?? []).map((mount) => mount.split(':')[0] ?? '');
      for (const source of sources) {
        const exists = source.startsWith('./')
          ? existsSync(join(ROOT, source))
          : source in compose.volumes;
        expect(exists, source).toBe(true);
      }
    }
  });

  it('keeps the database and Redis inside, and Atrium on a read-only file system', () => {
    expect(compose.networks['back']).toEqual({ internal: true });
    for (const service of [postgres, redis]) {
      expect([service?.networks, service?.ports]).toEqual([['back'], undefined]);
    }
    for (const service of [server, worker]) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
      expect(service?.ports).toBeUndefined();
    }
  });

  it('starts a scanner only if somebody asks for it', () => {
    expect(clamav).toMatchObject({ profiles: ['clamav'], networks: ['front'] });
    expect(clamav?.ports).toBeUndefined();
  });

  it('starts commands that exist', () => {
    const usage = read('server/src/commands/usage.ts');
    for (const service of [server, worker]) {
      const [command = '', ...options] = service?.command ?? [];
      const line = new RegExp(`^  ${command}\\b.*$`, 'm').exec(usage)?.[0] ?? '';
      expect(line).not.toBe('');
      for (const option of options) expect(line).toContain(option);
    }
  });

  it('gives Atrium settings that are valid, with the secrets that make-secrets creates', () => {
    const copy = join(folder, 'deploy');
    mkdirSync(copy);
    cpSync(join(ROOT, 'deploy', 'make-secrets'), join(copy, 'make-secrets'));
    execFileSync(join(copy, 'make-secrets'));
    const before = secretsIn(copy);
    execFileSync(join(copy, 'make-secrets'));
    expect(secretsIn(copy)).toEqual(before);
    expect(statSync(join(copy, 'secrets')).mode & 0o777).toBe(0o700);
    const files = Object.values(compose.secrets).map(({ file }) => file);
    expect(files.toSorted()).toEqual(
      Object.keys(before)
        .map((name) => `deploy/secrets/${name}`)
        .toSorted(),
    );

    expect(worker?.environment).toEqual(server?.environment);
    const entries = Object.entries(server?.environment ?? {});
    expect(VARIABLES).toEqual(expect.arrayContaining(entries.map(([name]) => name)));
    const env = entries.map(([name, value]) => [
      name,
      value
        .replace('/run/secrets', join(copy, 'secrets'))
        .replace(/\$\{ATRIUM_DOMAIN[^}]*\}/, 'a.example'),
    ]);
    const config = readConfig(Object.fromEntries(env));
    expect(config).toMatchObject({
      publicUrl: 'https://a.example',
      redisUrl: 'redis://redis:6379',
    });
    expect(config.secretsKeys?.[0]).toHaveLength(32);
    const { hostname, username, password, pathname } = new URL(String(config.databaseUrl));
    expect([hostname, username, pathname]).toEqual([
      'postgres',
      postgres?.environment?.['POSTGRES_USER'],
      `/${postgres?.environment?.['POSTGRES_DB']}`,
    ]);
    expect(`${password}\n`).toBe(before['postgres_password']);
  });

  it('has a proxy that forwards to the server', () => {
    const caddyfile = read('deploy/Caddyfile');
    expect(caddyfile).toContain(`reverse_proxy server:${readConfig({}).port} `);
    const names = [...caddyfile.matchAll(/\{\$(\w+)\}/g)].map(([, name = '']) => name);
    expect(Object.keys(caddy?.environment ?? {})).toEqual(names);
  });

  const secretsIn = (copy: string): Record<string, string> =>
    Object.fromEntries(
      globSync('*', { cwd: join(copy, 'secrets') }).map((name) => [
        name,
        readFileSync(join(copy, 'secrets', name), 'utf8'),
      ]),
    );
});

describe('deploy/atrium.service', () => {
  const unit = read('deploy/atrium.service');

  it('starts a file that exists, with variables that the configuration reads', () => {
    const [, node = '', main = ''] = /^ExecStart=(\S+) (\S+) serve$/m.exec(unit) ?? [];
    expect(node).toBe('/opt/atrium/node_modules/.bin/node');
    expect(existsSync(join(ROOT, main))).toBe(true);
    const lines = [...unit.matchAll(/^#?Environment=(.+)$/gm)].map(([, pairs = '']) =>
      pairs.split(' '),
    );
    const names = lines.flat().map((pair) => pair.split('=')[0]);
    expect(names).toContain('DATABASE_URL_FILE');
    expect(VARIABLES).toEqual(expect.arrayContaining(names));
    expect(unit).toMatch(/^MemoryMax=\d+G$/m);
    expect(unit).toMatch(/^TasksMax=\d+$/m);
    expect(unit).toContain(`DATA_DIR=/var/lib/${/^StateDirectory=(.+)$/m.exec(unit)?.[1]}\n`);
  });
});

describe('scripts/prune-production', () => {
  function makeModules(...files: string[]): string {
    const root = mkdtempSync(join(folder, 'modules-'));
    for (const file of files) {
      const path = join(root, 'node_modules', file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, '');
    }
    return root;
  }
  const prune = (root: string) =>
    execFileSync(join(ROOT, 'scripts', 'prune-production'), [root], { stdio: 'pipe' });
  const filesIn = (root: string) =>
    globSync('**/*', { cwd: join(root, 'node_modules'), withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) =>
        join(parentPath, name).slice(join(root, 'node_modules').length + 1),
      )
      .toSorted();

  it('keeps what runs here, and licences', () => {
    const { platform, arch } = process;
    const kept = [
      'fastify/LICENSE.md',
      'fastify/index.js',
      `onnxruntime-node/bin/napi-v6/${platform}/${arch}/onnxruntime_binding.node`,
    ];
    const root = makeModules(
      ...kept,
      'fastify/README.md',
      'fastify/index.d.ts',
      'fastify/index.js.map',
      'onnxruntime-node/bin/napi-v6/win32/x64/onnxruntime.dll',
      'onnxruntime-node/bin/napi-v6/linux/other/libonnxruntime.so.1',
      'vite/index.js',
    );
    expect(String(prune(root))).toMatch(/node_modules: \d+ MB/);
    expect(filesIn(root)).toEqual(kept);
  });

  it('refuses a folder with packages for development', () => {
    const root = makeModules('vitest/index.js', 'vite/index.js');
    expect(() => prune(root)).toThrow('run npm ci --omit=dev first');
    expect(filesIn(root)).toHaveLength(2);
  });
});

function exitCode(file: string, args: string[], env: NodeJS.ProcessEnv): Promise<number | null> {
  const child = spawn(file, args, { env });
  return new Promise((resolve) => void child.on('close', resolve));
}
