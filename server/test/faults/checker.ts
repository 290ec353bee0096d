import { expect } from 'vitest';
import type { Database } from '../../src/db/types.ts';
import { countLedgerMismatches } from '../../src/features/billing/ledger/service.ts';
import type { Load } from './load.ts';

interface Stored {
  id: string;
  body: string;
  sessionId: string;
  position: number;
  inReplyTo: string | null;
}

/** Nothing that was acknowledged is lost, and nothing happened twice. */
export async function expectNothingLost(db: Database, load: Load): Promise<void> {
  expect(load.refused).toEqual([]);
  const stored = await db.query<Stored>(
    `SELECT id, body, session_id AS "sessionId", position::int AS position,
       in_reply_to_message_id AS "inReplyTo" FROM messages ORDER BY session_id, position`,
  );
  const ids = new Set(stored.map(({ id }) => id));
  const lost = load.acknowledged.filter(({ id }) => !ids.has(id));
  expect(lost).toEqual([]);
  expectOnce(stored.filter(({ inReplyTo }) => inReplyTo === null).map(({ body }) => body));
  for (const [, messages] of Map.groupBy(stored, ({ sessionId }) => sessionId)) {
    expect(messages.map(({ position }) => position)).toEqual(messages.map((_, at) => at + 1));
  }
  const questions = stored.filter(({ body, inReplyTo }) => inReplyTo === null && isQuestion(body));
  const answered = stored.flatMap(({ inReplyTo }) => inReplyTo ?? []);
  expect(answered.toSorted()).toEqual(questions.map(({ id }) => id).toSorted());
  const [charges] = await db.query<{ count: number; used: number }>(
    `SELECT count(*)::int AS count, (SELECT count(*)::int FROM messages
       WHERE (usage->>'credits')::int > 0) AS used FROM ledger_entries WHERE kind = 'USAGE'`,
  );
  expect(charges?.count).toBe(charges?.used);
  expect(charges?.count).toBeGreaterThan(0);
  expect(await countLedgerMismatches(db)).toBe(0);
}

const isQuestion = (body: string) => body.startsWith('@ada ');

function expectOnce(bodies: readonly string[]): void {
  const doubled = bodies.filter((body, at) => bodies.indexOf(body) !== at);
  expect(doubled).toEqual([]);
}

export async function countOpenJobs(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM jobs WHERE kind = 'agent-reply'`,
  );
  return row?.count ?? 0;
}
