import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import type { ErrorCode } from '../../core/errors.ts';
import { ENGINE } from '../../../test/harness/databases/database.ts';
import { dataOf, expectError, problemsOf } from '../../../test/harness/clients/envelope.ts';
import { useMemoryStage } from '../../../test/harness/stages/memory-stage.ts';
import { readStatistics } from '../../../test/harness/models/memory-statistics.ts';

const stage = useMemoryStage();
const { server, call, org, outsider, projects, createProject } = stage;

// Two engines and a model share few cores in CI.
vi.setConfig({ testTimeout: 120_000 });

const post = (items: unknown, by: { key: string } = org.member, headers = {}) =>
  call('POST', '/api/memory/batch', { ...by, headers }, { items });

const list = async (query = '', by = org.member) => (await stage.list(query, by)).items;

async function expectExactStatistics(): Promise<void> {
  const { kept, counted } = await readStatistics(server.db, org.orgId);
  expect(kept).toEqual(counted);
}

async function createArchived(): Promise<string> {
  const id = await createProject(org.owner, { name: 'Old' });
  await call('DELETE', `/api/projects/${id}`, org.owner);
  return id;
}

describe('POST /memory/batch', () => {
  it('201: the records in order, as POST /memory would have made them', async () => {
    const items = [
      { content: 'The zeppelin lands at noon.', visibility: 'ORG', tags: [' sky ', 'sky'] },
      { content: 'The zeppelin needs helium.', visibility: 'PROJECT', projectId: projects.closed },
      { content: 'I fear the zeppelin.', visibility: 'PRIVATE', sourceUrl: 'https://a.example/' },
    ];
    const reply = await post(items);
    expect(reply.status, reply.text).toBe(201);
    const { items: created, total } = reply.json.data;
    expect(total).toBe(3);
    expect(created).toMatchObject([
      { ...items[0], tags: ['sky'], ownerUserId: org.member.userId, embeddingStatus: 'READY' },
      { ...items[1], tags: [], ownerUserId: org.member.userId, embeddingStatus: 'READY' },
      { ...items[2], tags: [], ownerUserId: org.member.userId, embeddingStatus: 'READY' },
    ]);
    expect(await list('?limit=3')).toEqual(created.toReversed());
    expect(await list('?limit=3', outsider)).toEqual([created[0]]);
    const body = { query: 'zeppelin' };
    const found = await call('POST', '/api/memory/search', org.member, body);
    expect(found.json.data.items.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      created.map(({ id }: { id: string }) => id).toSorted(),
    );
    await expectExactStatistics();
  });

  it('201: 100 items of all scopes with 20 tags each, and more terms than one statement counts', async () => {
    const long = Array.from({ length: 1_500 }, (_, at) => `w${at}`).join(' ');
    const items = Array.from({ length: 100 }, (_, item) => ({
      content: item === 50 ? long : `item ${item}`,
      visibility: ['PRIVATE', 'PROJECT', 'ORG'][item % 3],
      projectId: projects.open,
      tags: Array.from({ length: 20 }, (__, tag) => `many-${tag}`),
      sourceUrl: `https://example.com/${item}`,
    }));
    const reply = await post(items);
    expect(reply.status, reply.text).toBe(201);
    expect(reply.json.data.items.map(({ content }: { content: string }) => content)).toEqual(
      items.map(({ content }) => content),
    );
    expect(await list('?tag=many-7&limit=100')).toHaveLength(100);
    await expectExactStatistics();
  });

  it('201: once for one Idempotency-Key', async () => {
    const items = ['once', 'twice'].map((content) => ({ content, visibility: 'ORG', tags: ['k'] }));
    const send = () => post(items, org.member, { 'idempotency-key': 'batch-once' });
    const [first, second] = await Promise.all([send(), send()]);
    const third = await send();
    expect([first.status, second.text, third.text]).toEqual([201, first.text, first.text]);
    expect(third.headers.get('idempotency-replayed')).toBe('true');
    expect(await list('?tag=k')).toHaveLength(2);
  });

  it.each([
    ['no items', undefined, ['body.items required']],
    ['an empty list', [], ['body.items too_few']],
    [
      '101 items',
      Array.from({ length: 101 }, () => ({ content: 'x', visibility: 'ORG' })),
      ['body.items too_many'],
    ],
    ['a text', 'x', ['body.items invalid_type']],
    [
      'several items that fail',
      [
        { content: 'fine', visibility: 'ORG' },
        { content: ' ', visibility: 'ORG' },
        { content: 'x', visibility: 'PROJECT' },
        { content: 'x', visibility: 'ORG', tags: ['t', 7], title: 'x' },
      ],
      [
        'body.items[1].content required',
        'body.items[2].projectId required',
        'body.items[3].tags[1] invalid_type',
        'body.items[3].title unknown_field',
      ],
    ],
    ['NUL', [{ content: 'a\0b', visibility: 'ORG' }], ['body.items[0].content invalid_character']],
  ])('400: %s, and nothing is written', async (_, items, problems) => {
    const before = await list('?limit=1');
    expect(problemsOf(await post(items))).toEqual(problems);
    expect(await list('?limit=1')).toEqual(before);
  });

  it.each<[string, string, () => string | Promise<string>, ErrorCode]>([
    ['403', 'a Project the caller is not a member of', () => projects.closed, 'FORBIDDEN'],
    ['404', "another organisation's Project", () => projects.foreign, 'NOT_FOUND'],
    ['404', 'an unknown Project', () => 'nowhere', 'NOT_FOUND'],
    ['409', 'an archived Project', () => createArchived(), 'CONFLICT'],
  ])('%s: one item in %s, and nothing is written', async (_, __, place, code) => {
    const items = [
      { content: 'first', visibility: 'ORG' },
      { content: 'second', visibility: 'PROJECT', projectId: await place() },
    ];
    const before = await list('?limit=1', outsider);
    expectError(await post(items, outsider), code);
    expect(await list('?limit=1', outsider)).toEqual(before);
    await expectExactStatistics();
  });

  it.each([
    ['in the middle', ['horse', 'unicorn', 'donkey'], {}],
    ['at the end', ['horse', 'donkey', 'unicorn'], {}],
    ['at the end, with an Idempotency-Key', ['pony', 'unicorn'], { 'idempotency-key': 'unicorn' }],
  ])('500: nothing is written if a row fails %s', async (_, contents, headers) => {
    await server.db.query(
      `ALTER TABLE memories ADD CONSTRAINT no_unicorns CHECK (content <> 'unicorn')`,
    );
    const items = contents.map((content) => ({ content, visibility: 'ORG' }));
    const before = await list('?limit=1');
    const reply = await post(items, org.member, headers);
    await server.db.query('ALTER TABLE memories DROP CONSTRAINT no_unicorns');
    expectError(reply, 'INTERNAL_ERROR');
    expect(await list('?limit=1')).toEqual(before);
    expect(await server.db.query('SELECT FROM memory_batches')).toEqual([]);
    await expectExactStatistics();
  });

  it.runIf(ENGINE === 'embedded')(
    '201: leaves the one session to others after each memory',
    async () => {
      const sent = vi.spyOn(pg.Client.prototype, 'query');
      const reply = await post(['a', 'b', 'c'].map((content) => ({ content, visibility: 'ORG' })));
      const packets = sent.mock.calls.map(([packet]) => textsIn(packet));
      sent.mockRestore();
      expect(reply.status, reply.text).toBe(201);
      const memoriesIn = (texts: string[]) => texts.filter((text) => /INTO memories /.test(text));
      const writing = packets.filter((texts) => memoriesIn(texts).length > 0);
      expect(writing.map((texts) => memoriesIn(texts).length)).toEqual([1, 1, 1]);
      // A packet is a transaction, unless it begins one and leaves it open.
      for (const [first, ...rest] of writing) {
        expect(first?.startsWith('BEGIN')).toBe(rest.at(-1) === 'COMMIT');
      }
    },
  );
});

/** The statements of what is sent to the database at once. */
function textsIn(packet: unknown): string[] {
  const { statements = [] } = packet as { statements?: { text: string }[] };
  return statements.map(({ text }) => text);
}

describe('POST /v1/memories/batch', () => {
  const postV1 = (items: unknown) =>
    call('POST', '/api/v1/memories/batch', { key: org.orgKey, body: { items } });

  it('201: memories of the organisation and of any Project', async () => {
    const reply = await postV1([
      { content: 'a', visibility: 'ORG' },
      { content: 'b', visibility: 'PROJECT', projectId: projects.closed },
    ]);
    expect(dataOf(reply, 201).items).toMatchObject([
      { content: 'a', ownerUserId: null },
      { content: 'b', ownerUserId: null, projectId: projects.closed },
    ]);
  });

  it('403: one PRIVATE item, and nothing is written', async () => {
    const before = await list('?limit=1');
    const items = ['ORG', 'PRIVATE'].map((visibility) => ({ content: 'c', visibility }));
    expect(expectError(await postV1(items), 'FORBIDDEN')['reason']).toBe('role');
    expect(await list('?limit=1')).toEqual(before);
  });
});
