import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setEmbeddedStage, startAtrium, type Stage } from './stage.ts';

const MESSAGES = 100;
const LIST_READERS = 180;
const FILE_READERS = 200;
const SECONDS = 60;
const STEP_SECONDS = 10;

/**
 * What clients cost that ask and never read: some for a list of messages that are as long as they can be,
 * and others, without a key, for a large file. Memory should be flat.
 */
export async function benchReaders(): Promise<void> {
  const stage = await setEmbeddedStage();
  await fillSession(stage);
  const atrium = await startAtrium(stage);
  const { origin, child } = atrium;
  const sockets: Socket[] = [];
  const say = async (what: string) =>
    process.stdout.write(
      `readers: ${what}: ${await memoryOf(child.pid ?? 0)} MB of the process, ${await kernelMemory()} MB of the kernel's for connections\n`,
    );
  try {
    await fetch(`${origin}/docs/scalar.js`).then((response) => response.arrayBuffer());
    await say('before');
    const list = `/api/spaces/bench/sessions/c000000000000000000000001/messages?limit=${MESSAGES}`;
    for (let nth = 0; nth < LIST_READERS; nth++) {
      sockets.push(ask(origin, list, stage.keys[nth % stage.keys.length]));
    }
    for (let nth = 0; nth < FILE_READERS; nth++) sockets.push(ask(origin, '/docs/scalar.js'));
    for (let second = 0; second <= SECONDS; second += STEP_SECONDS) {
      await sleep(STEP_SECONDS * 1000);
      await say(`${LIST_READERS + FILE_READERS} that never read, after ${second + STEP_SECONDS} s`);
    }
  } finally {
    for (const socket of sockets) socket.destroy();
    await atrium.stop();
    await stage.drop();
  }
}

function ask(origin: string, path: string, key?: string): Socket {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => {});
  const authorization = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`;
  socket.pause().write(`GET ${path} HTTP/1.1\r\nHost: atrium\r\n${authorization}\r\n`);
  return socket;
}

async function fillSession({ db, orgId, userId }: Stage): Promise<void> {
  await db.query(
    `INSERT INTO projects (org_id, id, slug, name, tags, access, created_by_id)
     VALUES ($1, 'cproject', 'bench', 'Bench', '{}', 'ORG', $2)`,
    [orgId, userId],
  );
  await db.query(
    `INSERT INTO sessions (org_id, id, project_id, name, participant_user_ids, created_by_id, last_position)
     VALUES ($1, 'c000000000000000000000001', 'cproject', 's', '{}', $2, $3)`,
    [orgId, userId, MESSAGES],
  );
  await db.query(
    `INSERT INTO messages (org_id, id, session_id, position, author_kind, author_user_id, body, mentions,
       status, citations, tool_calls, created_at)
     SELECT $1, 'm' || nth, 'c000000000000000000000001', nth, 'USER', $2, repeat('𝄞', 20000), '{}', 'COMPLETED', '[]', '[]', now()
     FROM generate_series(1, $3::int) nth`,
    [orgId, userId, MESSAGES],
  );
}

async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

/** For all connections of the machine, in pages of 4 KiB. */
async function kernelMemory(): Promise<number> {
  const sockets = await readFile('/proc/net/sockstat', 'utf8');
  return Math.round((Number(/TCP: .* mem (\d+)/.exec(sockets)?.[1]) * 4) / 1024);
}
