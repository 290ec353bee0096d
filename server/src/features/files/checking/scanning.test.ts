import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dataOf, reasonOf } from '../../../../test/harness/clients/envelope.ts';
import { addFile, uploadFile, waitForCheck } from '../../../../test/harness/clients/uploads.ts';
import { startClamd } from '../../../../test/harness/outside/clamd-server.ts';
import { useServerWithOrg } from '../../../../test/harness/processes/use-test-org.ts';
import { useStarted } from '../../../../test/harness/processes/use-started.ts';
import { useFolder } from '../../../../test/harness/use-folder.ts';

const SIGNATURE = 'X5O!not-really';
const folder = useFolder();
const clamd = useStarted(
  () => startClamd({ signature: SIGNATURE, maxBytes: 1_000_000 }),
  (server) => server.close(),
);
const { server, call, org } = useServerWithOrg(async () => ({
  worker: true,
  env: { DATA_DIR: folder.path, CLAMD: `127.0.0.1:${clamd.port}` },
}));
const me = () => ({ call, key: org.member.key });

async function createProject(): Promise<string> {
  const named = { name: `Project ${Math.random()}` };
  return dataOf(await call('POST', '/api/projects', org.owner, named)).id;
}

const stored = () => readdir(join(folder.path, 'files', org.orgId)).catch((): string[] => []);

it('REFUSED: what the scanner finds is said, its bytes are gone, and it counts for nothing', async () => {
  const bytes = Buffer.from(`before ${SIGNATURE} after`);
  const file = await addFile(me(), { projectId: await createProject(), bytes, name: 'a.txt' });
  expect(file).toMatchObject({
    status: 'REFUSED',
    reason: 'It contains malware: Atrium.Test-1',
    sha256: null,
  });
  // The bytes are deleted right after the commit that says so.
  await expect.poll(stored).toEqual([]);
  for (const path of ['content', 'preview']) {
    expect((await call('GET', `/api/files/${file.id}/${path}`, org.member)).status).not.toBe(200);
  }
  const usage = dataOf(await call('GET', `/api/org/${org.orgId}/files/usage`, org.member));
  expect(usage).toMatchObject({ bytes: 0, files: 0 });
});

it('CHECKING: while the scanner is gone nobody reads it, and it is READY once the scanner is back', async () => {
  const bytes = Buffer.from('harmless');
  const projectId = await createProject();
  for (const how of ['close', 'garbage'] as const) {
    clamd.behave(how);
    const { id } = await uploadFile(me(), { projectId, bytes, name: 'a.txt' });
    const queued = () =>
      server.db.query<{ seconds: number; attempts: number }>(
        `SELECT extract(epoch FROM run_at - now())::float8 AS seconds, attempts FROM jobs
         WHERE kind = 'check-file' AND lease_token IS NULL AND run_at > now() AND payload ->> 'fileId' = $1`,
        [id],
      );
    await expect.poll(queued).toHaveLength(1);
    const [job] = await queued();
    // However long it is gone, the next try is this close.
    expect(job?.attempts).toBe(0);
    expect(job?.seconds).toBeLessThan(60);
    expect(reasonOf(await call('GET', `/api/files/${id}/content`, org.member))).toEqual([
      409,
      'file_not_ready',
    ]);
    clamd.behave('scan');
    await server.db.query(`UPDATE jobs SET run_at = now() WHERE kind = 'check-file'`);
    expect(await waitForCheck(me(), id)).toMatchObject({ status: 'READY' });
  }
});
