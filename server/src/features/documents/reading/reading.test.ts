import { beforeAll, describe, expect, it } from 'vitest';
import { dataOf } from '../../../../test/harness/clients/envelope.ts';
import { useServerWithOrg } from '../../../../test/harness/processes/use-test-org.ts';
import { until } from '../../../../test/harness/stages/agent-stage.ts';
import { pdfOf, sendFile, textRead } from '../../../../test/harness/stages/document-stage.ts';

const { server, call, send, org } = useServerWithOrg({ worker: true });
let projectId: string;

beforeAll(async () => {
  projectId = (await send('POST', '/api/projects', org.owner, { name: 'Texts' })).id;
});

const upload = (name: string, bytes: string | Buffer) =>
  sendFile(call, org.owner, { projectId, name, bytes });

/** As if its text had never been read, or only so many pages of it. Nobody reads it until `start`. */
async function unread(fileId: string, readPages: number): Promise<void> {
  const { db } = server;
  await db.query(
    `DELETE FROM passages ps USING documents d
     WHERE d.org_id = ps.org_id AND d.id = ps.document_id AND d.file_id = $1 AND ps.page > $2`,
    [fileId, readPages],
  );
  await db.query('DELETE FROM file_pages WHERE file_id = $1 AND page > $2', [fileId, readPages]);
  if (readPages === 0) await db.query('DELETE FROM documents WHERE file_id = $1', [fileId]);
  await db.query(
    `UPDATE documents d SET passages = (SELECT count(*) FROM passages ps
       WHERE ps.org_id = d.org_id AND ps.document_id = d.id) WHERE d.file_id = $1`,
    [fileId],
  );
  await db.query(`UPDATE files SET text_status = 'PENDING' WHERE id = $1`, [fileId]);
}

const start = () =>
  server.db.query(`INSERT INTO jobs (kind, payload, run_at) VALUES ('read-text', $1, now())`, [
    JSON.stringify({ orgId: org.orgId }),
  ]);

describe('the job read-text', () => {
  it('goes on after the last stored page, and reads none of them again', async () => {
    const id = await upload('five.pdf', pdfOf(['One', 'Two', 'Three', 'Four', 'Five']));
    expect(await textRead(call, org.owner, id)).toMatchObject({ text: 'READY', pages: 5 });
    await unread(id, 3);
    await server.db.query(`UPDATE file_pages SET text = 'Kept' WHERE file_id = $1 AND page = 3`, [
      id,
    ]);
    await start();
    expect(await textRead(call, org.owner, id)).toMatchObject({ text: 'READY', pages: 5 });
    const text = async (page: number) =>
      dataOf(await call('GET', `/api/files/${id}/text?page=${page}`, org.owner), 200).text;
    expect([await text(3), await text(5)]).toEqual(['Kept', 'Five']);
    const [{ passages } = { passages: 0 }] = await server.db.query<{ passages: number }>(
      'SELECT passages FROM documents WHERE file_id = $1',
      [id],
    );
    expect(passages).toBe(5);
  });

  it('takes the newest file first, and leaves one that somebody else is reading', async () => {
    const ids = [];
    for (const name of ['a.txt', 'b.txt', 'c.txt']) {
      ids.push(await upload(name, `The text of ${name}.`));
      await textRead(call, org.owner, ids.at(-1) ?? '');
    }
    for (const id of ids) await unread(id, 0);
    const [held = '', older = '', newest = ''] = ids;
    await server.db.query(
      `INSERT INTO file_readings (org_id, file_id, token, held_until, attempts)
       VALUES ($1, $2, 'somebody', now() + interval '1 hour', 0)`,
      [org.orgId, held],
    );
    await start();
    await textRead(call, org.owner, older);
    await textRead(call, org.owner, newest);
    const order = await server.db.query<{ fileId: string }>(
      `SELECT file_id AS "fileId" FROM documents WHERE file_id = ANY ($1) ORDER BY updated_at`,
      [ids],
    );
    expect(order.map(({ fileId }) => fileId)).toEqual([newest, older]);
    await server.db.query('DELETE FROM file_readings WHERE file_id = $1', [held]);
    await start();
    expect(await textRead(call, org.owner, held)).toMatchObject({ text: 'READY' });
  });

  it('says why there is no text: EMPTY', async () => {
    const id = await upload('blank.txt', '   \n  \n');
    const file = await textRead(call, org.owner, id);
    expect(file.text).toBe('EMPTY');
    expect(file.textReason).toMatch(/\w/);
  });

  it('gives up after five failures: FAILED, with a reason, and others are read', async () => {
    const id = await upload('lost.txt', 'This will be lost.');
    await textRead(call, org.owner, id);
    await unread(id, 0);
    await server.db.query(`UPDATE files SET storage_key = 'no/such/key' WHERE id = $1`, [id]);
    await server.db.query(
      `INSERT INTO file_readings (org_id, file_id, token, held_until, attempts)
       VALUES ($1, $2, 'somebody', now() - interval '1 hour', 4)`,
      [org.orgId, id],
    );
    await start();
    const file = await textRead(call, org.owner, id);
    expect(file).toMatchObject({ text: 'FAILED', textReason: expect.stringContaining('too many') });
    const fine = await upload('fine.txt', 'This is fine.');
    expect(await textRead(call, org.owner, fine)).toMatchObject({ text: 'READY' });
  });

  it('writes nothing for a file that is deleted while it is read', async () => {
    const pages = Array.from({ length: 40 }, (_, at) => `Page ${at}`);
    const id = await upload('gone.pdf', pdfOf(pages));
    await until(async () => {
      const rows = await server.db.query('SELECT 1 AS page FROM file_pages WHERE file_id = $1', [
        id,
      ]);
      return rows.length > 0;
    });
    expect((await call('DELETE', `/api/files/${id}`, org.owner)).status).toBe(204);
    await until(async () => {
      const [row] = await server.db.query<{ jobs: number }>(
        `SELECT count(*) AS jobs FROM jobs WHERE kind = 'read-text' AND lease_token IS NOT NULL`,
      );
      return row?.jobs === 0;
    });
    for (const table of ['file_pages', 'documents', 'file_readings']) {
      const rows = await server.db.query(`SELECT 1 AS left_over FROM ${table} WHERE file_id = $1`, [
        id,
      ]);
      expect(rows).toEqual([]);
    }
  });
});
