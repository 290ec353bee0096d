import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  dataOf,
  expectError,
  problemsOf,
  reasonOf,
} from '../../../../test/harness/clients/envelope.ts';
import { openEventsOf } from '../../../../test/harness/clients/event-stream.ts';
import { callTool, connectMcp } from '../../../../test/harness/clients/mcp-client.ts';
import { readExport } from '../../../../test/harness/clients/untar.ts';
import { addPerson, createTestOrg, type Person } from '../../../../test/harness/factories.ts';
import {
  failFile,
  openUpload,
  purgeTimeOf,
  uploadText,
} from '../../../../test/harness/clients/attachments.ts';
import { useServerWithNewOrgs } from '../../../../test/harness/processes/use-test-org.ts';

const { server, call, send, org } = useServerWithNewOrgs();

const DAY = 86_400_000;

async function makeRoom(project: object = {}, session: object = {}) {
  const body = { name: `Room ${randomUUID()}`, ...project };
  const { id: projectId, slug } = await send('POST', '/api/projects', org.owner, body);
  const space = `/api/spaces/${slug}`;
  const opened = await send('POST', `${space}/sessions`, org.owner, { name: 'Talk', ...session });
  const path = `${space}/sessions/${opened.id}`;
  const messages = `${path}/messages`;
  return {
    projectId,
    slug,
    space,
    path,
    sessionId: opened.id as string,
    messages,
    upload: (name?: string, by: Person = org.owner) => uploadText(call, by, projectId, name),
    post: (by: Person, more: object) => call('POST', messages, by, more),
    list: async (by: Person = org.owner) => (await send('GET', messages, by)).items,
    fileAs: async (by: Person, id: string) => (await call('GET', `/api/files/${id}`, by)).status,
  };
}

const idsOf = ({ attachments }: { attachments: { fileId: string }[] }) =>
  attachments.map(({ fileId }) => fileId);
const expiresInDays = async (id: string) =>
  Math.round(((await purgeTimeOf(server.db, org.orgId, id))!.getTime() - Date.now()) / DAY);

describe('POST …/messages with fileIds', () => {
  it('201: everybody who reads the message reads its files, in the order of the post', async () => {
    const room = await makeRoom();
    const first = await room.upload('b.txt');
    const second = await room.upload('a.txt');
    expect(await room.fileAs(org.member, first)).toBe(404);
    const reply = await room.post(org.owner, { body: 'Both', fileIds: [second, first] });
    const message = dataOf(reply, 201);
    expect(message.attachments).toEqual([
      {
        fileId: second,
        name: 'a.txt',
        mediaType: expect.any(String),
        size: 11,
        status: expect.stringMatching(/^(CHECKING|READY)$/),
        image: null,
        pages: null,
      },
      expect.objectContaining({ fileId: first, name: 'b.txt' }),
    ]);
    expect((await room.list(org.member))[0]).toEqual(message);
    expect(await room.fileAs(org.member, first)).toBe(200);
    expect(await purgeTimeOf(server.db, org.orgId, first)).toBeNull();
  });

  it('201: without a text, also with one of white space', async () => {
    const room = await makeRoom();
    for (const body of [{}, { body: '' }, { body: ' \n' }, { body: null }]) {
      const fileIds = [await room.upload()];
      expect(dataOf(await room.post(org.owner, { ...body, fileIds }), 201)).toMatchObject({
        body: '',
        attachments: [{ fileId: fileIds[0] }],
      });
    }
  });

  it('201: every place that shows the message shows its files', async () => {
    const room = await makeRoom();
    const fileId = await room.upload('contract.txt');
    const post = dataOf(
      await room.post(org.owner, { body: 'The giraffe', fileIds: [fileId] }),
      201,
    );
    const path = `${room.space}/messages/${post.id}`;
    const shown = { attachments: [{ fileId, name: 'contract.txt' }] };
    await send('PUT', `${path}/saved`, org.owner);
    await send('PUT', `${path}/pin`, org.owner);
    await room.post(org.member, { body: 'Thanks', parentMessageId: post.id });
    expect(await send('GET', path, org.member)).toMatchObject(shown);
    expect((await send('GET', `${room.path}/pins`, org.member)).items).toMatchObject([shown]);
    expect((await send('GET', '/api/saved', org.owner)).items).toMatchObject([{ message: shown }]);
    expect((await send('GET', '/api/threads', org.owner)).items).toMatchObject([{ parent: shown }]);
    const { items } = await send('POST', '/api/messages/search', org.member, {
      query: 'giraffe',
      has: ['file'],
    });
    expect(items).toMatchObject([{ message: shown }]);
    const client = await connectMcp(server.origin, org.member.key, '2026-07-28');
    const uri = `atrium://projects/${room.slug}/sessions/${room.sessionId}`;
    const [resource] = (await client.readResource({ uri })).contents;
    const { messages } = JSON.parse((resource as { text: string }).text);
    expect(messages.items.at(-1)).toMatchObject(shown);
    await client.close();
    const archive = await fetch(`${server.origin}/api/org/${org.orgId}/export`, {
      headers: { authorization: `Bearer ${org.owner.key}` },
    });
    const exported = readExport(new Uint8Array(await archive.arrayBuffer()));
    expect(exported['messages']?.find(({ id }) => id === post.id)).toMatchObject(shown);
  });

  it('201: a thread, and its list, has them too', async () => {
    const room = await makeRoom();
    const { id: parentMessageId } = dataOf(await room.post(org.owner, { body: 'First' }), 201);
    const fileIds = [await room.upload('c.txt', org.member)];
    dataOf(await room.post(org.member, { fileIds, parentMessageId }), 201);
    const { items } = await send(
      'GET',
      `${room.messages}?parentMessageId=${parentMessageId}`,
      org.owner,
    );
    expect(items.map(idsOf)).toEqual([fileIds]);
  });

  it('201: what one may read may be attached again, whoever has uploaded it', async () => {
    const room = await makeRoom();
    const fileId = await room.upload();
    dataOf(await room.post(org.owner, { body: 'One', fileIds: [fileId] }), 201);
    dataOf(await room.post(org.member, { body: 'Two', fileIds: [fileId] }), 201);
    expect((await room.list()).map(idsOf)).toEqual([[fileId], [fileId]]);
  });

  it('400: nothing is said, a file is named twice, or there are eleven', async () => {
    const room = await makeRoom();
    const ids = await Promise.all(Array.from({ length: 11 }, () => room.upload()));
    const [one = ''] = ids;
    const cases: [object, string][] = [
      [{}, 'body.body required'],
      [{ body: '' }, 'body.body required'],
      [{ body: '  ', fileIds: [] }, 'body.body required'],
      [{ body: 'x', fileIds: [one, one] }, 'body.fileIds invalid_value'],
      [{ body: 'x', fileIds: ids }, 'body.fileIds too_many'],
      [{ body: 'x', fileIds: one }, 'body.fileIds invalid_type'],
    ];
    for (const [body, problem] of cases) {
      expect(problemsOf(await room.post(org.owner, body))).toEqual([problem]);
    }
    expect(await room.list()).toEqual([]);
    dataOf(await room.post(org.owner, { fileIds: ids.slice(1) }), 201);
  });

  it('404: of another Project, of another organisation, somebody else’s, or deleted', async () => {
    const room = await makeRoom();
    const other = await makeRoom();
    const { owner: stranger, orgId } = await createTestOrg(server.db);
    const project = await send('POST', '/api/projects', stranger, { name: orgId });
    const gone = await room.upload();
    await send('DELETE', `/api/files/${gone}`, org.owner);
    const ids = [
      await other.upload(),
      await uploadText(call, stranger, project.id),
      await room.upload('mine.txt', org.member),
      gone,
      'nothing',
    ];
    for (const id of ids) {
      const reply = await room.post(org.owner, { body: 'x', fileIds: [await room.upload(), id] });
      expectError(reply, 'NOT_FOUND');
    }
    expect(await room.list()).toEqual([]);
  });

  it('403, 404, 409: what is wrong with the place comes first', async () => {
    const room = await makeRoom({ access: 'MEMBERS' });
    const fileIds = ['nothing'];
    expect(reasonOf(await room.post(org.member, { fileIds }))).toEqual([403, 'not_project_member']);
    await send('DELETE', room.path, org.owner);
    expect(reasonOf(await room.post(org.owner, { fileIds }))).toEqual([409, 'session_archived']);
  });

  it('409 file_not_ready: still UPLOADING, FAILED or REFUSED, and says so', async () => {
    const room = await makeRoom();
    const cases = [
      ['UPLOADING', (await openUpload(call, org.owner, room.projectId, 'slow.txt')).id, 'uploaded'],
      ['FAILED', await room.upload('odd.txt'), 'The disk was full.'],
      ['REFUSED', await room.upload('bad.txt'), 'It contains Eicar-Test.'],
    ] as const;
    await failFile(server.db, org.orgId, cases[1][1], 'FAILED', cases[1][2]);
    await failFile(server.db, org.orgId, cases[2][1], 'REFUSED', cases[2][2]);
    for (const [status, fileId, words] of cases) {
      const reply = await room.post(org.owner, { body: 'x', fileIds: [fileId] });
      const details = expectError(reply, 'CONFLICT');
      expect(details).toEqual({ reason: 'file_not_ready', fileId, status });
      expect(reply.json.error.message).toContain(words);
    }
    expect(await room.list()).toEqual([]);
  });

  it('sends no response again whose files the caller may no longer read', async () => {
    const room = await makeRoom();
    const post = async (by: Person, id: string) => {
      const headers = { 'idempotency-key': `key-${id}` };
      const body = { body: 'Look', fileIds: [id] };
      return call('POST', room.messages, { key: by.key, body, headers });
    };
    const fileId = await room.upload('plan.txt', org.member);
    const first = await post(org.member, fileId);
    expect((await post(org.member, fileId)).text).toBe(first.text);
    await send('DELETE', `/api/files/${fileId}`, org.member);
    const again = await post(org.member, fileId);
    expect(reasonOf(again)).toEqual([409, 'idempotency_response_dropped']);
    expect(again.text).not.toContain('plan.txt');
    expect(await room.list()).toHaveLength(1);
  });
});

describe('PATCH …/messages/{messageId} with files', () => {
  it('200: the files stay, and the text may become empty', async () => {
    const room = await makeRoom();
    const fileIds = [await room.upload()];
    const { id } = dataOf(await room.post(org.owner, { body: 'Look', fileIds }), 201);
    const path = `${room.space}/messages/${id}`;
    for (const body of ['Look here', '']) {
      const edited = await send('PATCH', path, org.owner, { body });
      expect(edited).toMatchObject({ body, attachments: [{ fileId: fileIds[0] }] });
    }
  });

  it('400: without files, it may not', async () => {
    const room = await makeRoom();
    const { id } = dataOf(await room.post(org.owner, { body: 'Look' }), 201);
    const reply = await call('PATCH', `${room.space}/messages/${id}`, org.owner, { body: ' ' });
    expect(problemsOf(reply)).toEqual(['body.body required']);
  });
});

describe('a message that is deleted', () => {
  it('gives its files back to their uploader, for a week', async () => {
    const room = await makeRoom();
    const fileId = await room.upload('plan.txt', org.member);
    const post = () => room.post(org.member, { body: 'Look', fileIds: [fileId] });
    const { id: first } = dataOf(await post(), 201);
    const { id: second } = dataOf(await post(), 201);
    const erase = (id: string) => send('DELETE', `${room.space}/messages/${id}`, org.owner);
    await erase(first);
    expect(await purgeTimeOf(server.db, org.orgId, fileId)).toBeNull();
    expect(await room.fileAs(org.admin, fileId)).toBe(200);
    await erase(second);
    expect(await expiresInDays(fileId)).toBe(7);
    expect(await room.fileAs(org.admin, fileId)).toBe(404);
    expect(await room.fileAs(org.member, fileId)).toBe(200);
    expect((await room.list()).map(idsOf)).toEqual([[], []]);
    dataOf(await post(), 201);
    expect(await purgeTimeOf(server.db, org.orgId, fileId)).toBeNull();
  });

  it('leaves what is shared with the Project there', async () => {
    const room = await makeRoom();
    const fileId = await room.upload();
    await send('PATCH', `/api/files/${fileId}`, org.owner, { isShared: true });
    const { id } = dataOf(await room.post(org.owner, { fileIds: [fileId] }), 201);
    await send('DELETE', `${room.space}/messages/${id}`, org.owner);
    expect(await room.fileAs(org.member, fileId)).toBe(200);
    expect(await purgeTimeOf(server.db, org.orgId, fileId)).toBeNull();
  });
});

describe('a file that changes', () => {
  it('changes the pages that show it, and nothing else', async () => {
    const room = await makeRoom();
    const fileId = await room.upload('old.txt');
    dataOf(await room.post(org.owner, { body: 'Look', fileIds: [fileId] }), 201);
    const tagOf = async () => {
      const reply = await call('GET', room.messages, org.member);
      return [reply.headers.get('etag'), reply.json.data.items[0].attachments] as const;
    };
    const [before] = await tagOf();
    expect((await tagOf())[0]).toBe(before);
    await send('PATCH', `/api/files/${fileId}`, org.owner, { name: 'new.txt' });
    const [renamed, attachments] = await tagOf();
    expect(renamed).not.toBe(before);
    expect(attachments).toMatchObject([{ fileId, name: 'new.txt' }]);
    await send('DELETE', `/api/files/${fileId}`, org.owner);
    const [deleted, none] = await tagOf();
    expect(deleted).not.toBe(renamed);
    expect(none).toEqual([]);
  });
});

describe('pages that are open', () => {
  it('are told of a file that changes, if their people may read it', async () => {
    const room = await makeRoom({}, { access: 'PARTICIPANTS' });
    const fileId = await room.upload('old.txt');
    const { id: messageId } = dataOf(await room.post(org.owner, { fileIds: [fileId] }), 201);
    const events = await openEventsOf(server, org.owner, org);
    const others = await openEventsOf(server, org.admin, org);
    await send('PATCH', `/api/files/${fileId}`, org.owner, { name: 'new.txt' });
    await events.next('message.updated', { messageId });
    await send('DELETE', `/api/files/${fileId}`, org.owner);
    await events.next('message.updated', { messageId });
    await send('POST', '/api/projects', org.owner, { name: `Last ${randomUUID()}` });
    await others.next('project.created');
    const heard = JSON.stringify(others.events);
    for (const secret of [fileId, messageId]) expect(heard).not.toContain(secret);
    events.close();
    others.close();
  });
});

describe('a question with files', () => {
  it('is asked again with them', async () => {
    const room = await makeRoom({}, { access: 'PARTICIPANTS' });
    const fileIds = [await room.upload(), await room.upload()];
    const { id } = dataOf(await room.post(org.owner, { fileIds }), 201);
    const path = `${room.space}/messages/${id}/retry`;
    const again = await send('POST', path, org.owner, { agent: 'recall' });
    expect(idsOf(again)).toEqual(fileIds);
    // What was refused meanwhile stays with the first version.
    await failFile(server.db, org.orgId, fileIds[0] ?? '', 'REFUSED', 'It contains Eicar-Test.');
    const retry = `${room.space}/messages/${again.id}/retry`;
    const third = await send('POST', retry, org.owner, { agent: 'recall' });
    expect(idsOf(third)).toEqual(fileIds.slice(1));
    await send('DELETE', `${room.space}/messages/${third.id}`, org.owner);
    expect(await purgeTimeOf(server.db, org.orgId, fileIds[1] ?? '')).toBeNull();
  });
});

describe('has: file', () => {
  it('200: finds only messages that have one', async () => {
    const room = await makeRoom();
    const { id } = dataOf(
      await room.post(org.owner, { body: 'zebra', fileIds: [await room.upload()] }),
      201,
    );
    dataOf(await room.post(org.owner, { body: 'zebra' }), 201);
    const find = async () => {
      const query = { query: 'zebra', has: ['file'] };
      const { items } = await send('POST', '/api/messages/search', org.member, query);
      return items.map(({ message }: { message: { id: string } }) => message.id);
    };
    expect(await find()).toEqual([id]);
    await send('DELETE', `/api/files/${idsOf((await room.list())[1])[0]}`, org.owner);
    expect(await find()).toEqual([]);
  });
});

describe('a notification of a message that has only files', () => {
  it('names them as they are', async () => {
    const room = await makeRoom();
    const { id: parentMessageId } = dataOf(await room.post(org.owner, { body: 'Please' }), 201);
    const fileIds = [
      await room.upload('*draft* [1].txt', org.member),
      await room.upload('b_c_d.txt', org.member),
    ];
    dataOf(await room.post(org.member, { fileIds, parentMessageId }), 201);
    const text = async () => (await send('GET', '/api/notifications', org.owner)).items[0]?.text;
    await expect.poll(text).toBe('*draft* [1].txt, b_c_d.txt');
  });
});

describe('post_message with fileIds', () => {
  it('attaches them, and refuses what its caller may not read', async () => {
    const room = await makeRoom();
    const client = await connectMcp(server.origin, org.member.key, '2026-07-28');
    const place = { slug: room.slug, sessionId: room.sessionId };
    const fileIds = [await room.upload('mcp.txt', org.member)];
    const posted = await callTool(client, 'post_message', { ...place, fileIds });
    expect(posted.data).toMatchObject({ body: '', attachments: [{ name: 'mcp.txt' }] });
    const foreign = [await room.upload('secret.txt')];
    const refused = await callTool(client, 'post_message', { ...place, fileIds: foreign });
    expect(refused).toMatchObject({ isError: true, data: { error: { code: 'NOT_FOUND' } } });
    expect(refused.text).not.toContain('secret.txt');
    const empty = await callTool(client, 'post_message', place);
    expect(empty.isError).toBe(true);
    await client.close();
  });
});

describe('a private session', () => {
  it('keeps its files to those who read it', async () => {
    const room = await makeRoom({}, { access: 'PARTICIPANTS' });
    const fileId = await room.upload();
    dataOf(await room.post(org.owner, { fileIds: [fileId] }), 201);
    const guest = await addPerson(server.db, org.orgId, 'MEMBER');
    expect(await room.fileAs(guest, fileId)).toBe(404);
    expect(await room.fileAs(org.admin, fileId)).toBe(404);
    const participantUserIds = [org.owner.userId, guest.userId];
    await send('PATCH', room.path, org.owner, { participantUserIds });
    expect(await room.fileAs(guest, fileId)).toBe(200);
  });
});
