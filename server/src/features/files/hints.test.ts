import { expect, it, onTestFinished } from 'vitest';
import { dataOf } from '../../../test/harness/clients/envelope.ts';
import { openEventsOf } from '../../../test/harness/clients/event-stream.ts';
import { addFile } from '../../../test/harness/clients/uploads.ts';
import type { Person } from '../../../test/harness/factories.ts';
import { useServerWithOrg } from '../../../test/harness/processes/use-test-org.ts';

const { server, call, org } = useServerWithOrg({ worker: true });

async function listen(person: Person) {
  const stream = await openEventsOf(server, person, org);
  onTestFinished(() => stream.close());
  return stream;
}

it('only those who may read a file learn that it has changed', async () => {
  const project = await call('POST', '/api/projects', org.owner, { name: 'Hints' });
  const projectId: string = dataOf(project).id;
  const [mine, other] = [await listen(org.member), await listen(org.owner)];
  const uploader = { call, key: org.member.key };
  const { id: fileId } = await addFile(uploader, { projectId, bytes: Buffer.from('x') });
  expect((await mine.next('file.updated')).data).toEqual({ projectId, fileId });
  const path = `/api/files/${fileId}`;
  await call('PATCH', path, org.member, { name: 'still mine.txt' });
  await mine.next('file.updated');
  await call('PATCH', path, org.member, { isShared: true });
  const before = await other.takeUntil('file.updated', { fileId });
  expect(before.filter(({ type }) => type === 'file.updated')).toEqual([]);
  await mine.next('file.updated');
  // What they could read is gone, and they learn that too.
  await call('PATCH', path, org.member, { isShared: false });
  await other.next('file.updated', { fileId });
  await call('PATCH', path, org.member, { name: 'mine again.txt' });
  await call('POST', '/api/projects', org.owner, { name: 'After it' });
  const later = await other.takeUntil('project.created');
  expect(later.filter(({ type }) => type === 'file.updated')).toEqual([]);
});
