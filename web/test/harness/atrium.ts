import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { simpleParser, type ParsedMail } from 'mailparser';
import { Atrium } from '../../../sdk-js/src/index.ts';
import { openEmbedded } from '../../../server/src/db/engines/embedded.ts';
import { freePort } from '../../../server/test/harness/processes/free-port.ts';
import { spawnNode } from '../../../server/test/race/processes.ts';

export interface FirstRun {
  url: string;
  signInUrl: string;
  key: string;
  orgId: string;
  userId: string;
  email: string;
}

/** A server started like `npm start` on a data folder of its own, with what the first start prints. */
export interface TestAtrium {
  origin: string;
  /** Where its pages may load from: there, and from `FILES_ORIGIN`. */
  origins: readonly string[];
  dataDir: string;
  firstRun: FirstRun;
  /** Acts as the owner. */
  client: Atrium;
  /** The link in the newest email to this address, once there are more than `after` emails. */
  linkMailedTo(address: string, after?: number): Promise<string>;
  mailCount(address: string): Promise<number>;
  /** The owner, signed in with the link that the first start prints, which is used up. */
  owner(): Promise<Person>;
  /** A new member of the org, signed in: what a browser needs to act as them. */
  addPerson(email: string, role?: 'ADMIN' | 'MEMBER'): Promise<Person>;
  /** Makes everybody's sign-in that much older, while the server is stopped. Then it runs again. */
  ageSignIns(minutes: number): Promise<void>;
  /** Makes what people were told that much older, while the server is stopped. Then it runs again. */
  ageNotifications(minutes: number): Promise<void>;
  kill(): Promise<void>;
  /** On the same folder and port. */
  restart(): Promise<void>;
  /** Leaves its folder behind. */
  halt(): Promise<void>;
  stop(): Promise<void>;
}

export interface Person {
  email: string;
  userId: string;
  cookie: { name: string; value: string; url: string };
}

/** Tests fill a workspace faster than people do. */
const UNLIMITED = {
  RATE_LIMIT_READS: '1000000',
  RATE_LIMIT_WRITES: '1000000',
  RATE_LIMIT_SIGN_INS: '1000000',
};
/** Nothing outside this machine is called. */
const ALONE = { LINK_PREVIEWS: 'off' };

/** On a new folder, or on a copy of `folder`, which another server has left. A first start takes seconds. */
export async function startAtrium(
  env: Record<string, string> = {},
  folder?: string,
): Promise<TestAtrium> {
  const dataDir = await mkdtemp(join(tmpdir(), 'atrium-web-'));
  if (folder) await cp(folder, dataDir, { recursive: true });
  const port = env['PORT'] ?? String(await freePort());
  const start = async (lastLine: RegExp) => {
    const settings = { ...UNLIMITED, ...ALONE, DATA_DIR: dataDir, PORT: port, ...env };
    const started = spawnNode('../../src/main.ts', ['serve'], settings);
    await started.waitForLine(lastLine);
    return started;
  };
  let server = await start(folder ? /^Atrium is running/ : /^Try it:/);
  const firstRun = await readFirstRun(dataDir, port);
  const origin = firstRun.url;
  const origins = [origin, env['FILES_ORIGIN']].filter((one) => one !== undefined);
  const client = new Atrium({ apiKey: firstRun.key, baseURL: `${origin}/api` });

  const parsed = new Map<string, Promise<ParsedMail>>();
  const parse = async (name: string) => simpleParser(await readFile(join(dataDir, 'mail', name)));
  const mailsTo = async (address: string) => {
    const names = await readdir(join(dataDir, 'mail')).catch(() => []);
    const mails = await Promise.all(
      names
        .filter((name) => name.endsWith('.eml'))
        .toSorted((a, b) => (a < b ? -1 : 1))
        .map((name) => {
          const mail = parsed.get(name) ?? parse(name);
          parsed.set(name, mail);
          return mail;
        }),
    );
    return mails.filter(({ to }) => [to].flat().some((one) => one?.text.includes(address)));
  };

  async function linkMailedTo(address: string, after = 0): Promise<string> {
    for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(50)) {
      const mails = await mailsTo(address);
      const link = /https?:\/\/\S+/.exec(mails.slice(after).at(-1)?.text ?? '')?.[0];
      if (link) return link;
    }
    throw new Error(`no email arrived for ${address}`);
  }

  async function age(table: 'notifications' | 'web_sessions', minutes: number): Promise<void> {
    await server.kill('SIGTERM');
    const db = await openEmbedded(dataDir);
    await db.query(`UPDATE ${table} SET created_at = created_at - make_interval(mins => $1)`, [
      minutes,
    ]);
    await db.close();
    server = await start(/^Atrium is running/);
  }

  let signedInOwner: Promise<Person> | undefined;
  return {
    origin,
    origins,
    dataDir,
    firstRun,
    client,
    linkMailedTo,
    mailCount: async (address) => (await mailsTo(address)).length,
    owner: () => (signedInOwner ??= signIn(origin, firstRun.signInUrl, firstRun.email)),
    async addPerson(email, role = 'MEMBER') {
      await client.org.invite(firstRun.orgId, { email, role });
      const invitation = await linkMailedTo(email);
      await post(origin, '/web/sign-in-links', { email });
      const person = await signIn(origin, await linkMailedTo(email, 1), email);
      const token = new URL(invitation).pathname.split('/').at(-1);
      const cookie = `${person.cookie.name}=${person.cookie.value}`;
      await post(origin, `/api/invitations/${token}/accept`, {}, cookie);
      return person;
    },
    ageSignIns: (minutes) => age('web_sessions', minutes),
    ageNotifications: (minutes) => age('notifications', minutes),
    async kill() {
      await server.kill('SIGKILL');
    },
    async restart() {
      server = await start(/^Atrium is running/);
    },
    async halt() {
      await server.kill('SIGTERM');
    },
    async stop() {
      await server.kill('SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** What the first start wrote, at the port that the server has now. */
async function readFirstRun(dataDir: string, port: string): Promise<FirstRun> {
  const text = await readFile(join(dataDir, 'first-run.json'), 'utf8');
  const { url } = JSON.parse(text) as FirstRun;
  return JSON.parse(text.replaceAll(url, `http://127.0.0.1:${port}`)) as FirstRun;
}

async function signIn(origin: string, link: string, email: string): Promise<Person> {
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token');
  const response = await post(origin, '/web/sign-in', { token });
  const cookie = response.headers.get('set-cookie') ?? '';
  const value = /atrium_session=([^;]+)/.exec(cookie)?.[1] ?? '';
  const { data } = (await response.json()) as { data: { userId: string } };
  return { email, userId: data.userId, cookie: { name: 'atrium_session', value, url: origin } };
}

async function post(origin: string, path: string, body: object, cookie = ''): Promise<Response> {
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin, cookie },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  return response;
}
