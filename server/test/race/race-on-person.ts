import { expect, vi } from 'vitest';
import type { Database } from '../../src/db/types.ts';
import type { Reply } from '../harness/clients/client.ts';

/** Sends each request when the one before waits for the person's row, and lets them through in this order. */
export async function raceOnPerson(
  db: Database,
  userId: string,
  requests: readonly (() => Promise<Reply>)[],
): Promise<Reply[]> {
  const sent: Promise<Reply>[] = [];
  await db.transaction(async (tx) => {
    await tx.query('SELECT 1 AS held FROM users WHERE id = $1 FOR UPDATE', [userId]);
    for (const send of requests) {
      sent.push(send());
      await waitForWaiting(db, sent.length);
    }
  });
  return Promise.all(sent);
}

async function waitForWaiting(db: Database, count: number): Promise<void> {
  await vi.waitFor(async () => {
    const rows = await db.query(
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(rows).toHaveLength(count);
  }, 30_000);
}
