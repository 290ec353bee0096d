import { Readable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTextEncoder } from '../../src/adapters/embeddings/create-text-encoder.ts';
import type { TextEncoder } from '../../src/adapters/embeddings/text-encoder.ts';
import { LISTENERS, PREPARATIONS } from '../../src/app/listeners.ts';
import { createLocalBus } from '../../src/bus/local-bus.ts';
import { createHints } from '../../src/bus/hints.ts';
import { createPresenceBoard } from '../../src/bus/presence-board.ts';
import { importAll, type Progress } from '../../src/commands/import-memories.ts';
import type { Actor } from '../../src/core/context.ts';
import { createEvents } from '../../src/events/create-events.ts';
import { createJobQueue } from '../../src/jobs/queue.ts';
import { createWakeUp } from '../../src/jobs/wake-up.ts';
import { useMemoryStage } from '../harness/stages/memory-stage.ts';
import { readStatistics } from '../harness/models/memory-statistics.ts';

/** `memory import`, without the process around it; command-line.test.ts runs that too. */
const { server, call, org, outsider, projects } = useMemoryStage();
const log = pino({ level: 'silent' });
let encoder: TextEncoder;

beforeAll(async () => {
  encoder = createTextEncoder({ kind: 'local' }, log);
});
afterAll(() => encoder.close());

// Two engines and a model share few cores in CI.
vi.setConfig({ testTimeout: 120_000 });

const ORG_ITSELF: Actor = { kind: 'system' };

function person(userId: string): Actor {
  const caller = { email: 'x@example.com', keyId: null, webSessionId: null };
  return { kind: 'user', role: 'MEMBER', userId, scopes: new Set(), ...caller };
}

function importText(
  text: string | Buffer,
  actor = ORG_ITSELF,
  onProgress?: (done: Progress) => void,
): Promise<Progress> {
  const bus = createLocalBus();
  const ctx = {
    requestId: 'import',
    orgId: org.orgId,
    actor,
    db: server.db,
    log,
    encoder,
    clock: { now: () => new Date() },
    jobs: createJobQueue(createWakeUp(bus)),
    events: createEvents(LISTENERS, PREPARATIONS),
    hints: createHints(bus),
    presence: createPresenceBoard(bus),
  };
  // In small pieces, so that lines and characters are cut anywhere.
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 700) }, (_, at) =>
    bytes.subarray(at * 700, at * 700 + 700),
  );
  return importAll(ctx, Readable.from(pieces), onProgress);
}

const lineOf = (memory: object) => JSON.stringify({ visibility: 'ORG', ...memory });
const linesOf = (count: number, tag: string) =>
  Array.from({ length: count }, (_, at) => lineOf({ content: `Über ${at}`, tags: [tag] }));

async function listed(tag: string, key = org.owner.key) {
  const reply = await call('GET', `/api/memory?limit=100&tag=${tag}`, { key });
  return reply.json.data.items;
}

async function count(tag: string): Promise<number> {
  const [row] = await server.db.query<{ memories: number }>(
    'SELECT count(*) AS memories FROM memories WHERE org_id = $1 AND tags @> $2',
    [org.orgId, [tag]],
  );
  const { kept, counted } = await readStatistics(server.db, org.orgId);
  expect(kept).toEqual(counted);
  return row?.memories ?? 0;
}

describe('memory import', () => {
  it('creates one memory per line, in order, and found at once', async () => {
    const memories = [
      { content: 'The heron nests in the reeds.', tags: ['bird'], sourceUrl: 'https://a.example/' },
      {
        content: 'Herons eat frogs.',
        visibility: 'PROJECT',
        projectId: projects.closed,
        tags: ['bird'],
      },
    ];
    const done = await importText(`${memories.map(lineOf).join('\r\n')}\n\n`);
    expect(done).toEqual({ lines: 2, imported: 2, skipped: 0 });
    const items = await listed('bird');
    expect(items.toReversed()).toMatchObject(
      memories.map((memory) => ({ ...memory, ownerUserId: null, embeddingStatus: 'READY' })),
    );
    const body = { query: 'what do wading birds feed on?', limit: 1 };
    const found = await call('POST', '/api/memory/search', { key: org.owner.key, body });
    expect(found.json.data.items[0].content).toBe('Herons eat frogs.');
  });

  it('adds nothing a second time, also if the file has grown or a memory was edited', async () => {
    const lines = linesOf(130, 'again');
    const shown: number[] = [];
    const first = await importText(lines.join('\n'), ORG_ITSELF, (done) => shown.push(done.lines));
    expect(first).toEqual({ lines: 130, imported: 130, skipped: 0 });
    expect(shown).toEqual([100, 130]);
    const [{ id }] = await listed('again');
    await call('PATCH', `/api/memory/${id}`, { key: org.owner.key, body: { content: 'edited' } });
    const more = [lineOf({ content: 'new', tags: ['again'] }), ...lines, lines[7]].join('\n');
    expect(await importText(more)).toEqual({ lines: 132, imported: 1, skipped: 131 });
    expect(await count('again')).toBe(131);
  });

  it('adds a deleted memory again, because nothing of it was kept', async () => {
    const line = lineOf({ content: 'gone', tags: ['gone'] });
    await importText(line);
    const [{ id }] = await listed('gone');
    await call('DELETE', `/api/memory/${id}`, { key: org.owner.key });
    expect(await importText(line)).toMatchObject({ imported: 1 });
    expect(await count('gone')).toBe(1);
  });

  it('imports equal lines once, and once per author', async () => {
    const line = lineOf({ content: 'same', tags: ['same'] });
    expect(await importText(`${line}\n${line}\n`)).toMatchObject({ imported: 1, skipped: 1 });
    expect(await importText(line, person(org.member.userId))).toMatchObject({ imported: 1 });
    expect(await count('same')).toBe(2);
  });

  it.each([
    ['malformed JSON', '{"content": "x"', 'Line 103: the body is not valid JSON.'],
    [
      'several fields',
      '{"content": " ", "title": "x"}',
      /^Line 103: .*content .*visibility .*title /,
    ],
    [
      'an unknown visibility',
      lineOf({ content: 'x', visibility: 'ALL' }),
      'visibility must be one of',
    ],
    ['a line of 2 MiB', lineOf({ content: 'x'.repeat(2 ** 21) }), 'Line 103: it is longer than'],
  ])('names the line: %s; nothing of its batch is written', async (name, bad, message) => {
    const lines = linesOf(110, name.replaceAll(' ', '-'));
    const text = [...lines.slice(0, 102), bad, ...lines.slice(102)].join('\n');
    const importing = importText(text);
    await expect(importing).rejects.toThrow(message);
    await expect(importing).rejects.toThrow(
      'Imported up to line 100: 100 new memories. Fix the file and run the command again',
    );
    expect(await count(name.replaceAll(' ', '-'))).toBe(100);
    expect(await importText(lines.join('\n'))).toMatchObject({ imported: 10, skipped: 100 });
  });

  it('names the line: invalid UTF-8', async () => {
    const text = Buffer.from(`${lineOf({ content: 'fine' })}\n${lineOf({ content: 'x' })}`);
    text[text.lastIndexOf('x')] = 0xff;
    await expect(importText(text)).rejects.toThrow('Line 2: the body is not valid UTF-8.');
  });

  it("has the author's rights: their own PRIVATE memory, and Projects they belong to", async () => {
    const own = lineOf({ content: 'own', visibility: 'PRIVATE', tags: ['rights'] });
    await importText(own, person(org.member.userId));
    expect(await listed('rights', org.member.key)).toMatchObject([
      { content: 'own', ownerUserId: org.member.userId },
    ]);
    expect(await listed('rights', org.owner.key)).toEqual([]);
    await expect(importText(own)).rejects.toThrow(/^Lines 1 to 1: Only the owner of a memory/);
    const inProject = lineOf({ content: 'p', visibility: 'PROJECT', projectId: projects.closed });
    await expect(importText(inProject, person(outsider.userId))).rejects.toThrow(
      /^Lines 1 to 1: .*member/,
    );
  });
});
