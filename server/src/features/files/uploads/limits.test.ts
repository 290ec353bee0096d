import { expect, it } from 'vitest';
import { dataOf, expectError } from '../../../../test/harness/clients/envelope.ts';
import { beginUpload, offsetOf, patchBytes } from '../../../../test/harness/clients/uploads.ts';
import { useServerWithOrg } from '../../../../test/harness/processes/use-test-org.ts';

const { call, org } = useServerWithOrg({ env: { RATE_LIMIT_WRITES: '5' } });

it('all bytes of an upload count as one write, however many requests carry them', async () => {
  const me = { call, key: org.member.key };
  const bytes = Buffer.from('0123456789');
  const project = await call('POST', '/api/projects', org.owner, { name: 'Limits' });
  const projectId: string = dataOf(project).id;
  // A write each.
  const first = await beginUpload(me, { projectId, bytes });
  for (let at = 0; at < bytes.length; at++) {
    const reply = await patchBytes(me, first.path, at, bytes.subarray(at, at + 1));
    expect(reply.status, `byte ${at}`).toBe(204);
    expect(await offsetOf(me, first.path)).toBe(at + 1);
  }
  // With the bytes, these are two. Two more, and one that is too many.
  const second = await beginUpload(me, { projectId, bytes });
  expect((await patchBytes(me, second.path, 0, bytes)).status).toBe(204);
  const third = await beginUpload(me, { projectId, bytes });
  const refused = await patchBytes(me, third.path, 0, bytes);
  expect(expectError(refused, 'RATE_LIMIT')).toEqual({ limit: 5, kind: 'write' });
});
