import { expect, it } from 'vitest';
import { expectError, problemsOf } from '../../../../test/harness/clients/envelope.ts';
import { uploadText } from '../../../../test/harness/clients/attachments.ts';
import { addPerson } from '../../../../test/harness/factories.ts';
import { useServerWithOrg } from '../../../../test/harness/processes/use-test-org.ts';

const { server, call, send, org } = useServerWithOrg();

it('a file of a direct conversation is for its people only, and can never be shared', async () => {
  const outsider = await addPerson(server.db, org.orgId, 'MEMBER');
  const userIds = [org.owner.userId];
  const session = await send('POST', '/api/direct', org.member, { userIds });
  const fileId = await uploadText(call, org.member, session.projectId, 'secret.txt');
  const messages = `/api/spaces/direct/sessions/${session.id}/messages`;
  const posted = await send('POST', messages, org.member, { fileIds: [fileId] });
  expect(posted.attachments).toMatchObject([{ fileId, name: 'secret.txt' }]);
  const path = `/api/files/${fileId}`;
  expect((await call('GET', path, org.owner)).status).toBe(200);
  expectError(await call('GET', path, outsider), 'NOT_FOUND');
  const shared = await call('PATCH', path, org.member, { isShared: true });
  expect(problemsOf(shared)).toEqual(['body.isShared invalid_value']);
  expect(await send('PATCH', path, org.member, { name: 'new.txt' })).toMatchObject({
    isShared: false,
  });
  // Neither does another conversation lead to it.
  const other = await send('POST', '/api/direct', outsider, { userIds });
  const elsewhere = `/api/spaces/direct/sessions/${other.id}/messages`;
  expectError(await call('POST', elsewhere, outsider, { fileIds: [fileId] }), 'NOT_FOUND');
  await send('DELETE', path, org.member);
  expect((await send('GET', messages, org.owner)).items).toMatchObject([{ attachments: [] }]);
});
