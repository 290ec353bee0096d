import { describe, expect, it } from 'vitest';
import { expectInvalid, problemsOf, reasonOf } from '../../../test/harness/clients/envelope.ts';
import { addPerson, keyWithScopes } from '../../../test/harness/factories.ts';
import { useMemoryStage } from '../../../test/harness/stages/memory-stage.ts';

const { server, call, org, otherOrg, outsider, projects, createProject, create, list, read } =
  useMemoryStage();

const post = (body: unknown, by: { key: string } = org.member, headers = {}) =>
  call('POST', '/api/memory', { ...by, headers }, body);

describe('POST /memory', () => {
  it('201: every field of the record, the same as then read, listed and found', async () => {
    const memory = await create({
      content: '  We charge 12 EUR a seat.\n',
      visibility: 'PROJECT',
      projectId: projects.closed,
      tags: [' pricing ', 'pricing', '2027'],
      sourceUrl: 'HTTPS://example.com/Minutes?id=1#top',
    });
    expect(memory).toEqual({
      id: expect.stringMatching(/^c[a-z0-9]{24}$/),
      content: '  We charge 12 EUR a seat.\n',
      visibility: 'PROJECT',
      projectId: projects.closed,
      ownerUserId: org.member.userId,
      tags: ['pricing', '2027'],
      sourceUrl: 'HTTPS://example.com/Minutes?id=1#top',
      embeddingStatus: 'READY',
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      updatedAt: memory.createdAt,
    });
    expect((await read(memory.id)).json.data).toEqual(memory);
    expect((await list('?limit=1')).items).toEqual([memory]);
    const found = await call('POST', '/api/memory/search', org.owner, { query: 'seat price' });
    expect(found.json.data.items[0]).toMatchObject(memory);
  });

  it('201: with only the required fields; null means none', async () => {
    const none = { projectId: null, tags: [], sourceUrl: null };
    for (const visibility of ['ORG', 'PRIVATE']) {
      expect(await create({ visibility })).toMatchObject(none);
      expect(
        await create({ visibility, projectId: null, tags: null, sourceUrl: null }),
      ).toMatchObject(none);
    }
  });

  it('201: projectId is a label with PRIVATE and ORG', async () => {
    const shared = await create({ visibility: 'ORG', projectId: projects.closed });
    expect((await read(shared.id, outsider)).json.data).toEqual(shared);
    const own = await create({ visibility: 'PRIVATE', projectId: projects.open });
    expect((await read(own.id, org.owner)).status).toBe(404);
  });

  it.each([
    ['10,000 letters', 'x'.repeat(10_000)],
    ['10,000 astral characters', '🙂'.repeat(10_000)],
    ['10,000 different ideographs outside the BMP', codePoints(0x20000, 10_000)],
    ['10,000 combining marks', `e${'\u0301'.repeat(9_999)}`],
    ['letters that fold to many', '\ufdfa\u3300\ufb03'.repeat(3_333)],
    ['1,700 different words', Array.from({ length: 1_700 }, (_, at) => `w${at}`).join(' ')],
    ['no word at all', '¿?!'],
    ['stop words only', 'the of and'],
    ['a right-to-left override and a BOM', 'a\u202eb\ufeff'],
  ])('201: %s, stored as sent', async (_, content) => {
    const memory = await create({ content, visibility: 'PRIVATE' });
    expect(memory.content).toBe(content);
    expect((await read(memory.id)).json.data.content).toBe(content);
  });

  it('201: once for one Idempotency-Key', async () => {
    const body = { content: 'once', visibility: 'PRIVATE', tags: ['once'] };
    const send = () => post(body, org.member, { 'idempotency-key': 'memory-once' });
    const [first, second] = await Promise.all([send(), send()]);
    const third = await send();
    expect(first.status).toBe(201);
    expect([second.text, third.text]).toEqual([first.text, first.text]);
    expect(third.headers.get('idempotency-replayed')).toBe('true');
    expect((await list('?tag=once')).items).toHaveLength(1);
  });

  it.each([
    ['nothing', {}, ['body.content required', 'body.visibility required']],
    ['an empty content', { content: '' }, ['body.content required']],
    ['white space only', { content: ' \n\u2003' }, ['body.content required']],
    ['a number', { content: 7 }, ['body.content invalid_type']],
    ['null', { content: null }, ['body.content invalid_type']],
    ['10,001 letters', { content: 'x'.repeat(10_001) }, ['body.content too_long']],
    ['10,001 emojis', { content: '🙂'.repeat(10_001) }, ['body.content too_long']],
    ['NUL', { content: 'a\0b' }, ['body.content invalid_character']],
    ['NUL in a tag', { tags: ['a', '\0'] }, ['body.tags[1] invalid_character']],
    ['lower case', { visibility: 'org' }, ['body.visibility invalid_value']],
    ['no visibility', { visibility: null }, ['body.visibility invalid_value']],
    ['PROJECT without projectId', { visibility: 'PROJECT' }, ['body.projectId required']],
    ['PROJECT with none', { visibility: 'PROJECT', projectId: null }, ['body.projectId required']],
    [
      'five problems',
      { visibility: 'PROJECT', content: '', tags: [''], sourceUrl: 'x', nme: 1 },
      [
        'body.content required',
        'body.nme unknown_field',
        'body.projectId required',
        'body.sourceUrl invalid_url',
        'body.tags[0] required',
      ],
    ],
    ['a long projectId', { projectId: 'x'.repeat(51) }, ['body.projectId too_long']],
    ['21 tags', { tags: Array.from({ length: 21 }, (_, at) => `t${at}`) }, ['body.tags too_many']],
    ['a long tag', { tags: ['x'.repeat(51)] }, ['body.tags[0] too_long']],
    ["somebody else's", { ownerUserId: 'x' }, ['body.ownerUserId unknown_field']],
    ['a list', [], ['body invalid_type']],
  ])('400: %s', async (title, fields, problems) => {
    const complete = title === 'nothing' || Array.isArray(fields);
    const body = complete ? fields : { content: 'a', visibility: 'ORG', ...fields };
    const before = await list('?limit=1');
    expect(problemsOf(await post(body)).toSorted()).toEqual(problems);
    expect(await list('?limit=1')).toEqual(before);
  });

  it.each(['"\\ud83d"', '"\\ude00\\ud83d"', '"a\\udc00"', '"\\u0000"'])(
    '400: %s as JSON',
    async (content) => {
      const reply = await post(`{"visibility":"ORG","content":${content}}`);
      expect(problemsOf(reply)).toEqual(['body.content invalid_character']);
    },
  );

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    'ftp://example.com',
    'file:///etc/passwd',
    'example.com',
    '//example.com',
    'https:example.com',
    'https:/example.com',
    'https:\\\\example.com',
    'https://',
    'https://exa mple.com',
    'https://example.com/\n',
    ' https://example.com',
    'https://example.com:99999',
    'https://[::1',
    'http://%',
    '',
  ])('400: sourceUrl %j', async (sourceUrl) => {
    const [problem] = expectInvalid(await post({ visibility: 'ORG', content: 'a', sourceUrl }));
    expect(problem?.location).toBe('body.sourceUrl');
  });

  it('400: sourceUrl of 2,049 characters; 2,048 are stored', async () => {
    const sourceUrl = `https://example.com/${'x'.repeat(2_028)}`;
    expect((await create({ sourceUrl })).sourceUrl).toBe(sourceUrl);
    const refused = await post({ visibility: 'ORG', content: 'a', sourceUrl: `${sourceUrl}x` });
    expect(problemsOf(refused)).toEqual(['body.sourceUrl too_long']);
  });

  it('401: no key, and a key of the other family', async () => {
    const body = { visibility: 'ORG', content: 'a' };
    expect((await call('POST', '/api/memory', { body })).status).toBe(401);
    expect((await post(body, { key: org.orgKey })).status).toBe(401);
    expect((await call('POST', '/api/v1/memories', org.owner, body)).status).toBe(401);
  });

  it('403: a Project the caller is not in, whatever the visibility; and a missing scope', async () => {
    for (const visibility of ['PROJECT', 'ORG', 'PRIVATE']) {
      const refused = await post(
        { visibility, content: 'a', projectId: projects.closed },
        outsider,
      );
      expect(reasonOf(refused)).toEqual([403, 'not_project_member']);
    }
    const limited = await keyWithScopes(server.db, org.orgId, org.owner.userId, ['memory:read']);
    expect(reasonOf(await post({ visibility: 'ORG', content: 'a' }, limited))).toEqual([
      403,
      'missing_scope',
    ]);
  });

  it("404: an unknown projectId, a malformed one, another org's; stored for the Idempotency-Key", async () => {
    for (const projectId of ['caaaaaaaaaaaaaaaaaaaaaaaa', 'x', projects.foreign]) {
      for (const visibility of ['PROJECT', 'ORG', 'PRIVATE']) {
        const refused = await post({ visibility, content: 'a', projectId });
        expect([refused.status, refused.json.error.code]).toEqual([404, 'NOT_FOUND']);
      }
    }
    const body = { visibility: 'ORG', content: 'a', projectId: projects.foreign };
    const send = () => post(body, org.member, { 'idempotency-key': 'memory-nowhere' });
    expect((await send()).text).toBe((await send()).text);
  });

  it('409: an archived Project', async () => {
    const projectId = await createProject(org.owner, { name: 'Done' });
    const memory = await create({ visibility: 'PROJECT', projectId });
    await call('DELETE', `/api/projects/${projectId}`, org.owner);
    for (const visibility of ['PROJECT', 'ORG']) {
      const refused = await post({ visibility, content: 'a', projectId });
      expect(reasonOf(refused)).toEqual([409, 'project_archived']);
    }
    expect((await read(memory.id)).json.data).toEqual(memory);
    expect((await list(`?projectId=${projectId}`)).items).toEqual([memory]);
  });
});

describe('GET /memory/{memoryId}', () => {
  it('200 and 404: who sees what', async () => {
    const people = { owner: org.owner, admin: org.admin, member: org.member, outsider };
    const everybody = ['owner', 'admin', 'member', 'outsider'];
    const table: [object, string[]][] = [
      [{ visibility: 'ORG' }, everybody],
      [{ visibility: 'PRIVATE' }, ['member']],
      [{ visibility: 'PROJECT', projectId: projects.open }, everybody],
      [{ visibility: 'PROJECT', projectId: projects.closed }, ['owner', 'admin', 'member']],
    ];
    for (const [body, readers] of table) {
      const memory = await create(body);
      for (const [name, person] of Object.entries(people)) {
        const reply = await read(memory.id, person);
        expect([body, name, reply.status]).toEqual([
          body,
          name,
          readers.includes(name) ? 200 : 404,
        ]);
      }
      expect((await read(memory.id, otherOrg.owner)).status).toBe(404);
    }
  });

  it('404: its author, after leaving the Project', async () => {
    const author = await addPerson(server.db, org.orgId, 'MEMBER');
    const membership = `/api/projects/${projects.closed}/members/${author.userId}`;
    await call('PUT', membership, org.owner);
    const memory = await create({ visibility: 'PROJECT', projectId: projects.closed }, author);
    expect((await read(memory.id, author)).status).toBe(200);
    await call('DELETE', membership, org.owner);
    expect((await read(memory.id, author)).status).toBe(404);
    const refused = await call('GET', `/api/memory?projectId=${projects.closed}`, author);
    expect(reasonOf(refused)).toEqual([403, 'not_project_member']);
  });

  it.each(['x', 'caaaaaaaaaaaaaaaaaaaaaaaa', '%00', '..', 'C'.repeat(25)])(
    '404: %s',
    async (id) => {
      expect((await read(id)).status).toBe(404);
    },
  );
});

function codePoints(from: number, count: number): string {
  return String.fromCodePoint(...Array.from({ length: count }, (_, at) => from + at));
}
