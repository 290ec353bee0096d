import fc from 'fast-check';
import { expect, it } from 'vitest';
import { useTestServer } from '../../test/harness/processes/use-test-server.ts';
import { isoTime, utcTime } from './utc-time.ts';

const server = useTestServer();

it('gives the same text as a Date, in any time zone', async () => {
  const dates = fc.sample(
    fc.date({ min: new Date('1970-01-01'), max: new Date('2999-12-31'), noInvalidDate: true }),
    300,
  );
  dates.push(new Date('2026-11-15T09:30:00.000Z'), new Date('2026-11-15T09:30:00.120Z'));
  await server.db.transaction(async (tx) => {
    await tx.query(`SET LOCAL TimeZone = 'Asia/Kathmandu'`);
    const rows = await tx.query<{ text: string | null }>(
      `SELECT ${utcTime('at')} AS text FROM unnest($1::timestamptz(3)[]) WITH ORDINALITY d (at, nth)
       ORDER BY nth`,
      [dates.map((date) => date.toISOString())],
    );
    expect(rows.map(({ text }) => isoTime(text ?? ''))).toEqual(
      dates.map((date) => date.toISOString()),
    );
  });
});
