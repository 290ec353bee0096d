import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { PAGE_BYTES } from '../../src/lists/page-bytes.ts';
import { MOST_TERMS_OF_TEXT } from '../../src/text/words/lexical.ts';
import { PIECE_CHARACTERS } from '../../src/text/words/pieces.ts';
import { startAgentStage, type AgentStage } from '../harness/stages/agent-stage.ts';

let stage: AgentStage;

beforeAll(async () => {
  stage = await startAgentStage();
});
afterAll(() => stage.stop());
afterEach(() => void vi.restoreAllMocks());

/** Watches how many characters are split into words in one turn of the event loop. */
function watchReading(): { most(): number } {
  const read = vi.spyOn(String.prototype, 'normalize');
  let seen = 0;
  let most = 0;
  let isWatching = true;
  const goRound = () => {
    const texts = read.mock.contexts.slice(seen).map(String);
    seen += texts.length;
    most = Math.max(most, texts.join('').length);
    if (isWatching) setImmediate(goRound);
  };
  goRound();
  return {
    most() {
      isWatching = false;
      goRound();
      return most;
    },
  };
}

/** One piece may end and the next begin in what the watcher counts as one turn. */
const BOUND = 2 * PIECE_CHARACTERS + 500;

describe('one turn of the event loop', () => {
  it('reads a few thousand characters for @recall, however many long messages there are', async () => {
    const room = await stage.openRoom();
    const small = 'We met on Monday and talked about the budget of the new office. ';
    const decision = 'The enterprise plan will cost 49 euros per seat and month from May on.';
    const padding = small.repeat(150);
    await room.post(`${padding}${decision} ${padding}`);
    const long = small.repeat(310).slice(0, 20_000);
    for (let at = 0; at < 8; at++) await room.post(long);
    const reading = watchReading();
    const [reply] = await room.ask('@recall what will the enterprise plan cost per seat?');
    expect(reading.most()).toBeLessThanOrEqual(BOUND);
    expect(reply?.body).toContain(decision);
    expect(reply?.body).toContain('… ');
  }, 120_000);

  it.each([
    ['Chinese characters', (at: number) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000))],
    ['letters that fold to eighteen', () => '\ufdfa'],
    ['marks of two classes', (at: number) => (at % 2 === 0 ? '\u0301' : '\u0316')],
    ['short words', (at: number) => (at % 3 === 2 ? ' ' : String.fromCodePoint(97 + (at % 25)))],
  ])(
    'reads a few thousand characters of a memory of 5,000 %s; POST and PATCH: 201, 200',
    async (_, letter) => {
      const content = Array.from({ length: 5_000 }, (_, at) => letter(at)).join('');
      const { key } = stage.org.member;
      const reading = watchReading();
      const made = await stage.call('POST', '/api/memory', {
        key,
        body: { content: `a${content.slice(1)}`, visibility: 'ORG' },
      });
      expect(made.status, made.text).toBe(201);
      const path = `/api/memory/${made.json.data.id}`;
      const changed = await stage.call('PATCH', path, {
        key,
        body: { content: `b${content.slice(1)}`, visibility: 'PRIVATE' },
      });
      expect(changed.status, changed.text).toBe(200);
      expect(reading.most()).toBeLessThanOrEqual(BOUND);
      const [row] = await stage.server.db.query<{ terms: number }>(
        'SELECT cardinality(terms) AS terms FROM memories WHERE id = $1',
        [made.json.data.id],
      );
      expect(row?.terms).toBeLessThanOrEqual(MOST_TERMS_OF_TEXT);
    },
  );

  it('reads a few long messages for a search of messages, however many match', async () => {
    const room = await stage.openRoom();
    // Near misses of the phrase, 60 kB each.
    const body = `${'東'.repeat(19_000)}京${'東'.repeat(900)}`;
    for (let at = 0; at < 40; at++) await room.post(body);
    const { db } = stage.server;
    const query = db.query.bind(db);
    const pages: number[] = [];
    vi.spyOn(db, 'query').mockImplementation(async (text, values) => {
      const rows = await query<{ body?: unknown }>(text, values);
      const bodies = rows.flatMap(({ body }) => (typeof body === 'string' ? body : []));
      pages.push(Buffer.byteLength(bodies.join('')));
      return rows;
    });
    const search = (query: string, limit = 100) =>
      stage.call('POST', '/api/messages/search', {
        key: stage.org.member.key,
        body: { query, limit, projectId: room.projectId },
      });
    const missed = await search(`"${'東'.repeat(990)}京${'東'.repeat(990)}"`);
    expect(missed.json.data).toEqual({ items: [], total: 0, degraded: true });
    expect(pages.reduce((sum, bytes) => sum + bytes)).toBeLessThanOrEqual(2_000_000);
    const found = await search('東東');
    expect(found.json.data.degraded).toBe(true);
    expect(found.json.data.total).toBe(Math.ceil(PAGE_BYTES / Buffer.byteLength(body)));
    expect(Math.max(...pages)).toBeLessThanOrEqual(PAGE_BYTES);
    const few = await search('東東', 3);
    expect([few.json.data.total, few.json.data.degraded]).toEqual([3, false]);
  }, 60_000);

  it('looks up no more than 256 terms of a query; search: 200', async () => {
    const query = Array.from({ length: 2_000 }, (_, at) => String.fromCodePoint(0x4e00 + at * 9));
    const search = vi.spyOn(stage.server.db, 'query');
    const found = await stage.call('POST', '/api/memory/search', {
      key: stage.org.member.key,
      body: { query: query.join('') },
    });
    expect(found.status, found.text).toBe(200);
    const lists = search.mock.calls.flatMap(([, values = []]) => values.filter(Array.isArray));
    expect(Math.max(...lists.map((list) => list.length))).toBe(256);
  });
});
