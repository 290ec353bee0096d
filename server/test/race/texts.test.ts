import { existsSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { dataOf } from '../harness/clients/envelope.ts';
import { pdfOf, sendFile, textRead } from '../harness/stages/document-stage.ts';
import { useFolder } from '../harness/use-folder.ts';
import { createShared, type Shared } from './cluster.ts';
import { killAll, startServer, type ServerProcess } from './processes.ts';

const PAGES = 120;
/** Of each kind. */
const KILLS = 2;
const folder = useFolder();
let shared: Shared;
let projectId: string;

const start = () => startServer({ DATABASE_URL: shared.url, DATA_DIR: folder.path });

beforeAll(async () => {
  shared = await createShared();
  const server = await start();
  const reply = await server.call('POST', '/api/projects', shared.org.owner, { name: 'Raced' });
  projectId = dataOf(reply).id;
  await server.kill('SIGTERM');
});
afterEach(killAll);
afterAll(() => shared.drop());

/** The processes that read files for a server. */
function readersOf({ pid }: ServerProcess): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}

const isGone = (pid: number) => !existsSync(`/proc/${pid}`);

/** What else would be waited for: the leases of a process that is gone. */
async function endLeases(): Promise<void> {
  await shared.db.query('UPDATE file_readings SET held_until = now()');
  await shared.db.query('UPDATE jobs SET lease_expires_at = now() WHERE lease_token IS NOT NULL');
}

async function countPages(fileId: string): Promise<number> {
  const [row] = await shared.db.query<{ pages: number }>(
    'SELECT count(*)::int AS pages FROM file_pages WHERE file_id = $1',
    [fileId],
  );
  return row?.pages ?? 0;
}

/** Everything that is stored of a text. */
async function textOf(fileId: string) {
  const { db } = shared;
  const pages = await db.query(
    'SELECT page, text, is_scanned FROM file_pages WHERE file_id = $1 ORDER BY page',
    [fileId],
  );
  const passages = await db.query(
    `SELECT ps.position, ps.page, ps.start_at, ps.end_at, ps.text FROM passages ps
     JOIN documents d ON d.org_id = ps.org_id AND d.id = ps.document_id
     WHERE d.file_id = $1 ORDER BY ps.position`,
    [fileId],
  );
  const [document] = await db.query(
    'SELECT passages, characters FROM documents WHERE file_id = $1',
    [fileId],
  );
  return { pages, passages, document };
}

it('kill -9 of servers that read a text, and of what reads for them: it is READY once, whole', async () => {
  const { owner } = shared.org;
  const texts = Array.from({ length: PAGES }, (_, page) =>
    Array.from({ length: 10 }, (_, line) => `Line ${line} of page ${page} of the plan.`).join('\n'),
  );
  const bytes = pdfOf(texts);
  let server = await start();
  const upload = (name: string) => sendFile(server.call, owner, { projectId, name, bytes });

  const id = await upload('killed.pdf');
  const killed = { servers: 0, readers: 0 };
  const orphans: number[] = [];
  for (let round = 0; round < 2 * KILLS; round++) {
    const before = await countPages(id);
    await expect
      .poll(() => countPages(id), { interval: 5, timeout: 60_000 })
      .toBeGreaterThan(before);
    const readers = readersOf(server);
    expect(readers.length).toBeGreaterThan(0);
    if (round % 2 === 0) {
      for (const pid of readers) process.kill(pid, 'SIGKILL');
      killed.readers += (await countPages(id)) < PAGES ? 1 : 0;
    } else {
      orphans.push(...readers);
      await server.kill('SIGKILL');
      killed.servers += (await countPages(id)) < PAGES ? 1 : 0;
      await endLeases();
      server = await start();
    }
  }
  expect(killed).toEqual({ servers: KILLS, readers: KILLS });

  const done = await textRead(server.call, owner, id);
  expect(done).toMatchObject({ text: 'READY', textReason: null, pages: PAGES });
  const undisturbed = await upload('undisturbed.pdf');
  await textRead(server.call, owner, undisturbed);
  const text = await textOf(id);
  expect(text.pages).toHaveLength(PAGES);
  expect(text).toEqual(await textOf(undisturbed));
  expect(await shared.db.query('SELECT 1 AS held FROM file_readings')).toEqual([]);
  // One may still wait for the time at which a killed reader's file would have been free.
  const running = `SELECT 1 AS job FROM jobs WHERE kind = 'read-text' AND lease_token IS NOT NULL`;
  await expect.poll(() => shared.db.query(running), { timeout: 30_000 }).toEqual([]);
  await expect.poll(() => orphans.filter((pid) => !isGone(pid)), { timeout: 30_000 }).toEqual([]);
});
