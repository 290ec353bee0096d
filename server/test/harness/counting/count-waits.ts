import pg from 'pg';

export interface Cost {
  /** How often something waited for the database. What is under way at the same time is one wait. */
  waits: number;
  statements: number;
}

interface Batch {
  statements: { text: string }[];
  callback: (...outcome: unknown[]) => void;
}

/** What the bus sends, and when a key was last used. */
const NOBODY_WAITS = /pg_notify|LISTEN|SET last_used_at/;

/** With its first packet, a connection is asked what it can do, and from time to time a session for its keys. */
const ASKED_AT_TIMES = /areAtomic|AS base$/;

type Query = (this: pg.Client, query: string | Batch, ...values: unknown[]) => unknown;

/**
 * Counts, on every connection of this process, what `work` sends and how often it waits for it. Runs it again
 * if something was asked that most requests know.
 */
export async function countWaits(work: () => Promise<unknown>): Promise<Cost> {
  const { isUsual, ...cost } = await countOnce(work);
  return isUsual ? cost : countWaits(work);
}

async function countOnce(work: () => Promise<unknown>): Promise<Cost & { isUsual: boolean }> {
  const cost = { waits: 0, statements: 0, isUsual: true };
  let underWay = 0;
  const begin = (statements: number) => {
    if (underWay++ === 0) cost.waits++;
    cost.statements += statements;
  };
  const end = () => void underWay--;

  // oxlint-disable-next-line typescript/unbound-method -- called with the client it belongs to
  const query = pg.Client.prototype.query as unknown as Query;
  const counted: Query = function counted(sent, ...values) {
    if (typeof sent === 'object') {
      const { callback } = sent;
      if (sent.statements.some(({ text }) => NOBODY_WAITS.test(text)))
        return query.call(this, sent);
      if (sent.statements.some(({ text }) => ASKED_AT_TIMES.test(text))) cost.isUsual = false;
      begin(sent.statements.length);
      sent.callback = (...outcome) => {
        end();
        callback(...outcome);
      };
      return query.call(this, sent);
    }
    if (NOBODY_WAITS.test(sent)) return query.call(this, sent, ...values);
    begin(1);
    return Promise.resolve(query.call(this, sent, ...values)).finally(end);
  };
  Object.assign(pg.Client.prototype, { query: counted });
  try {
    await work();
  } finally {
    Object.assign(pg.Client.prototype, { query });
  }
  return cost;
}
