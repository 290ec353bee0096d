import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkSmtp } from '../../src/adapters/mail/smtp.ts';
import { readRedisVersion } from '../../src/adapters/rate-limiter/check-redis.ts';
import { lockFolder } from '../../src/db/engines/folder-lock.ts';
import {
  CANARY,
  diagnose as diagnoseWith,
  printDiagnosis,
} from '../harness/processes/diagnosis.ts';
import { freePort } from '../harness/processes/free-port.ts';

let folder: string;
let dataDir: string;
const cleanUp: (() => unknown)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-doctor-'));
  dataDir = join(folder, 'data');
});
afterEach(async () => {
  for (const stop of cleanUp.splice(0).toReversed()) await stop();
  await rm(folder, { recursive: true, force: true });
});

const diagnose = (env: Record<string, string | undefined>) =>
  diagnoseWith({ DATA_DIR: dataDir, ...env });

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})));
  cleanUp.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Answers each command, as Redis does, with this line. */
const startRefusing = (line: string) =>
  listen(
    createServer((socket) =>
      socket.on('data', (data: Buffer) => {
        for (const _ of String(data).matchAll(/^\*\d/gm)) socket.write(line);
      }),
    ),
  );

async function startSite(status: number, headers: Record<string, string>, body: string) {
  const site = createHttpServer((_request, response) =>
    response.writeHead(status, headers).end(body),
  );
  return `http://127.0.0.1:${await listen(site)}`;
}

async function startMailServer(): Promise<number> {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) =>
      password === 'right' ? done(null, { user: 'atrium' }) : done(new Error(`no ${password}`)),
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  cleanUp.push(() => new Promise<void>((resolve) => server.close(resolve)));
  return (server.server.address() as AddressInfo).port;
}

describe('services', () => {
  it('are fine', async () => {
    const site = await startSite(200, {}, '{"status":"ok"}');
    const mail = await startMailServer();
    const redis = process.env['TEST_REDIS_URL'];
    const found = await diagnose({
      PUBLIC_URL: site,
      SMTP_URL: `smtp://atrium:right@127.0.0.1:${mail}`,
      REDIS_URL: redis,
    });
    expect(found['public URL']).toMatchObject({ status: 'ok', message: `${site} answers` });
    expect(found['email']?.status).toBe('ok');
    expect(found['data folder']?.status).toMatch(/ok|warning/);
    expect(found['redis']).toMatchObject(
      redis
        ? { status: 'ok', message: expect.stringMatching(/^version \d/) }
        : { status: 'skipped' },
    );
  });

  it('that nothing listens for are reported with the cause, and without passwords', async () => {
    const at = `:${CANARY}@127.0.0.1:${await freePort()}`;
    const env = {
      REDIS_URL: `redis://${at}`,
      SMTP_URL: `smtp://atrium${at}`,
      PUBLIC_URL: `http://127.0.0.1:${await freePort()}`,
    };
    const found = await diagnose(env);
    expect(found).toMatchObject({
      redis: { status: 'failed', message: expect.stringContaining('ECONNREFUSED') },
      email: { status: 'failed', message: expect.stringContaining('ECONNREFUSED') },
      // The server need not be running yet.
      'public URL': { status: 'warning', message: expect.stringContaining('ECONNREFUSED') },
    });
  });

  it('that refuse the password are reported', async () => {
    const redis = await startRefusing('-WRONGPASS invalid username-password pair\r\n');
    const mail = await startMailServer();
    const found = await diagnose({
      REDIS_URL: `redis://:${CANARY}@127.0.0.1:${redis}`,
      SMTP_URL: `smtp://atrium:wrong@127.0.0.1:${mail}`,
    });
    expect(found).toMatchObject({
      redis: { status: 'failed', message: expect.stringContaining('WRONGPASS') },
      email: { status: 'failed', message: expect.stringMatching(/EAUTH.*535/) },
    });
  });

  it('that say nothing, or never finish, are given up', async () => {
    const silent = await listen(createServer(() => {}));
    await expect(readRedisVersion(`redis://127.0.0.1:${silent}`, 300)).rejects.toThrow('300 ms');
    const quick = { connectMs: 300, silenceMs: 300, totalMs: 60_000 };
    await expect(checkSmtp(`smtp://127.0.0.1:${silent}`, quick)).rejects.toThrow('ETIMEDOUT');
    const endless = await listen(
      createServer((socket) => {
        const timer = setInterval(() => socket.write('220-more\r\n'), 20);
        socket.on('close', () => clearInterval(timer));
      }),
    );
    const total = { connectMs: 60_000, silenceMs: 60_000, totalMs: 300 };
    await expect(checkSmtp(`smtp://127.0.0.1:${endless}`, total)).rejects.toThrow('300 ms');
  });

  it('that are not set are no failure', async () => {
    const found = await diagnose({});
    expect(found).toMatchObject({
      database: { status: 'skipped', message: expect.stringContaining('first start') },
      redis: { status: 'skipped' },
      email: { status: 'warning', message: expect.stringContaining('DATA_DIR/mail') },
    });
  });
});

describe('files', () => {
  it('are skipped before the first upload, and then the folder is written and read', async () => {
    expect(await diagnose({})).toMatchObject({ files: { status: 'skipped' } });
    await mkdir(join(dataDir, 'files'), { recursive: true });
    const found = await diagnose({});
    expect(found).toMatchObject({
      files: { status: 'ok' },
      scanner: { status: 'skipped', message: expect.stringContaining('CLAMD') },
    });
    const left = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile())).toEqual([]);
  });

  it('that an S3 service does not take are reported, without its keys', async () => {
    const endpoint = await startSite(403, {}, '<Error><Code>AccessDenied</Code></Error>');
    const { files } = await diagnose({
      FILES_S3_ENDPOINT: endpoint,
      FILES_S3_BUCKET: 'files',
      FILES_S3_ACCESS_KEY: 'key',
      FILES_S3_SECRET_KEY: CANARY,
    });
    expect(files).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('403 AccessDenied'),
    });
  });

  it('a scanner that does not answer, or is something else, is reported', async () => {
    const gone = await diagnose({ CLAMD: `127.0.0.1:${await freePort()}` });
    expect(gone['scanner']).toMatchObject({ status: 'failed' });
    const other = await listen(createServer((socket) => socket.end('220 mail\0')));
    const { scanner } = await diagnose({ CLAMD: `127.0.0.1:${other}` });
    expect(scanner).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('something else than clamd'),
    });
  });
});

describe('PUBLIC_URL', () => {
  it('should be https in production', async () => {
    const env = { PUBLIC_URL: await startSite(200, {}, '{"status":"ok"}'), NODE_ENV: 'production' };
    const { 'public URL': found } = await diagnose(env);
    expect(found).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('not encrypted'),
    });
  });

  it.each([
    [
      301,
      { location: 'https://atrium.example.com/healthz' },
      '',
      /redirects to https:\/\/atrium\.example\.com$/,
    ],
    [200, {}, '<h1>Welcome to nginx</h1>'.repeat(100_000), /answers 200, but not as Atrium/],
    [502, {}, '{"status":"ok"}', /answers 502/],
  ])('that answers %i %j is somebody else', async (status, headers, body, message) => {
    const { 'public URL': found } = await diagnose({
      PUBLIC_URL: await startSite(status, headers, body),
    });
    expect(found).toMatchObject({ status: 'failed', message: expect.stringMatching(message) });
  });
});

describe('the data folder', () => {
  it('is reported if its disk is full', async () => {
    const { 'data folder': found } = await diagnose({ DATA_DIR: '/proc/atrium' });
    expect(found).toMatchObject({ status: 'failed', message: '0 MB free for /proc/atrium' });
  });

  it('is reported if it cannot be a folder', async () => {
    await writeFile(join(folder, 'file'), '');
    const { 'data folder': found } = await diagnose({ DATA_DIR: join(folder, 'file', 'data') });
    expect(found).toMatchObject({ status: 'failed', message: expect.stringContaining('ENOTDIR') });
  });

  it('of a running server is left alone', async () => {
    await mkdir(join(dataDir, 'db'), { recursive: true });
    cleanUp.push(await lockFolder(dataDir));
    const { database, clock } = await diagnose({});
    expect([database?.status, clock?.status]).toEqual(['skipped', 'skipped']);
    expect(database?.message).toContain('a running server');
  });
});

it('prints lines for people: the status, the check, what was found and what to do', async () => {
  const { code, printed } = await printDiagnosis({ DATA_DIR: '/proc/atrium' });
  expect(code).toBe(1);
  expect(printed).toContain(
    'failed   data folder  0 MB free for /proc/atrium\n                      Free some space',
  );
  expect(printed).toMatch(/^skipped  redis        REDIS_URL is not set; .*$/m);
});
