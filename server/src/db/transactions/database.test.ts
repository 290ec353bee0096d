import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ENGINE } from '../../../test/harness/databases/database.ts';
import { useTestDatabase } from '../../../test/harness/databases/use-test-database.ts';
import { ON_CITUS } from '../../../test/harness/databases/postgres-servers.ts';
import { isMigrated, migrate } from '../migrating/migrate.ts';
import { openPostgres } from '../engines/postgres.ts';
import { dumpSchema } from '../migrating/schema-dump.ts';
import type { Statement } from '../types.ts';
import { isViolation, sqlState } from './violations.ts';

const database = useTestDatabase();

const insertOrg = 'INSERT INTO orgs (id, name) VALUES ($1, $2)';
const countOrgs = async (name: string) => {
  const rows = await database.db.query('SELECT 1 AS found FROM orgs WHERE name = $1', [name]);
  return rows.length;
};

describe('transactions', () => {
  it('commit all, or nothing when the work throws', async () => {
    const { db } = database;
    const failing = db.transaction(async (tx) => {
      await tx.query(insertOrg, ['t1', 'thrown']);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await countOrgs('thrown')).toBe(0);
    await db.transaction((tx) => tx.query(insertOrg, ['t2', 'kept']));
    expect(await countOrgs('kept')).toBe(1);
  });

  // The embedded engine has one session, where nobody waits for another's lock.
  it.runIf(ENGINE === 'postgres')(
    'run again if they waited for each other, and have their effects once',
    async () => {
      const { db } = database;
      const lock = 'SELECT pg_advisory_xact_lock($1)';
      let attempts = 0;
      const effects: string[] = [];
      const bothHaveOne = Promise.withResolvers<void>();
      const lockBoth = (locks: readonly number[], id: string) =>
        db.transaction(async (tx) => {
          tx.afterCommit(() => effects.push(id));
          await tx.query(lock, [locks[0]]);
          if (++attempts === 2) bothHaveOne.resolve();
          await bothHaveOne.promise;
          tx.atCommit(lock, [locks[1]]);
          tx.atCommit(insertOrg, [id, 'waited']);
        });
      await Promise.all([lockBoth([1, 2], 'a'), lockBoth([2, 1], 'b')]);
      expect(attempts).toBeGreaterThanOrEqual(3);
      expect(effects.toSorted()).toEqual(['a', 'b']);
      expect(await countOrgs('waited')).toBe(2);
    },
  );

  it('join the outer one', async () => {
    const { db } = database;
    const failing = db.transaction(async (tx) => {
      await tx.transaction((inner) => inner.query(insertOrg, ['t3', 'joined']));
      throw new Error('outer');
    });
    await expect(failing).rejects.toThrow('outer');
    expect(await countOrgs('joined')).toBe(0);
  });

  it('commit nothing when the statement sent with COMMIT fails', async () => {
    const { db } = database;
    await db.query(insertOrg, ['taken', 'first']);
    const failing = db.transaction(async (tx) => {
      await tx.query(insertOrg, ['t4', 'late']);
      tx.atCommit(insertOrg, ['taken', 'second']);
    });
    const error: unknown = await failing.catch((reason: unknown) => reason);
    expect(sqlState(error)).toBe('23505');
    expect(await countOrgs('late')).toBe(0);
    await db.transaction(async (tx) => tx.atCommit(insertOrg, ['t5', 'at commit']));
    expect(await countOrgs('at commit')).toBe(1);
  });

  it('that are sent as one packet commit all of it or nothing, again and again', async () => {
    const { db } = database;
    for (let at = 0; at < 3; at++) {
      const failing = db.transaction(async (tx) => {
        tx.atCommit(insertOrg, [`u${at}`, 'in a packet']);
        tx.atCommit(insertOrg, ['taken', 'second']);
      });
      expect(sqlState(await failing.catch((reason: unknown) => reason))).toBe('23505');
      expect(await countOrgs('in a packet')).toBe(0);
      await db.transaction(async (tx) => {
        tx.atCommit(insertOrg, [`v${at}`, `packet ${at}`]);
        tx.atCommit(insertOrg, [`w${at}`, `packet ${at}`]);
      });
      expect(await countOrgs(`packet ${at}`)).toBe(2);
    }
  });

  it.runIf(ENGINE === 'postgres')(
    'send a statement in parts until they know that the connection is not to Citus',
    async () => {
      const fresh = openPostgres({ url: String(database.url), poolMax: 1, onError: () => {} });
      const part = (form: string) => ({ text: `SELECT '${form}' AS form`, values: [] });
      const failing = { text: insertOrg, values: ['taken', 'again'] };
      const forms: unknown[] = [];
      const send = (second: Statement) =>
        fresh.transaction(async (tx) => {
          tx.atCommit(`SELECT 'whole' AS form`, [], {
            onCitus: [part('part'), second],
            explain: () => new Error('explained'),
            returned: ([row]) => forms.push(row),
          });
        });
      await expect(send(failing)).rejects.toThrow('explained');
      await send(part('second'));
      await send(part('second'));
      await fresh.close();
      expect(forms).toEqual([{ form: 'part' }, { form: ON_CITUS ? 'part' : 'whole' }]);
    },
  );

  it.runIf(ENGINE === 'postgres')(
    'wait for a free connection for longer than making one may take',
    async () => {
      const options = { url: String(database.url), poolMax: 1, connectTimeoutMs: 1_000 };
      const busy = openPostgres({ ...options, onError: () => {} });
      const longer = busy.query('SELECT pg_sleep(1.5)');
      const waiting = busy.query('SELECT 1 AS one');
      await longer;
      expect(await waiting).toEqual([{ one: 1 }]);
      await busy.close();
    },
  );

  it.runIf(ENGINE === 'postgres')(
    'see what is committed between their statements, whatever the default is',
    async () => {
      // A pooler would have connections from before.
      const url = String(database.directUrl);
      const name = new URL(url).pathname.slice(1);
      await database.db.query(
        `ALTER DATABASE ${name} SET default_transaction_isolation = serializable`,
      );
      const strict = openPostgres({ url, poolMax: 1, onError: () => {} });
      const levels: unknown[] = [];
      const ask = `SELECT current_setting('transaction_isolation') AS level`;
      for (let at = 0; at < 2; at++) {
        await strict.transaction(async (tx) => {
          tx.atCommit('SELECT 1 AS one', []);
          tx.atCommit(ask, [], { returned: ([row]) => levels.push(row) });
        });
      }
      expect(await strict.query('SHOW default_transaction_isolation')).toEqual([
        { default_transaction_isolation: 'serializable' },
      ]);
      await strict.close();
      await database.db.query(`ALTER DATABASE ${name} RESET default_transaction_isolation`);
      expect(levels).toEqual([{ level: 'read committed' }, { level: 'read committed' }]);
    },
  );

  it('leave the connection usable after a failed statement, caught or not', async () => {
    const { db } = database;
    await expect(db.query('SELECT 1 / $1::int', [0])).rejects.toThrow('division by zero');
    await expect(db.transaction((tx) => tx.query('SELECT nothing'))).rejects.toThrow('nothing');
    const swallowed = db.transaction(async (tx) => {
      await tx.query(insertOrg, ['t6', 'swallowed']);
      await tx.query('SELECT 1 / $1::int', [0]).catch(() => {});
    });
    await expect(swallowed).rejects.toThrow('ROLLBACK');
    expect(await countOrgs('swallowed')).toBe(0);
    expect(await db.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('hold no connection until they have something to send', async () => {
    const { db } = database;
    await db.transaction(async (tx) => {
      expect(await tx.sharedRead('SELECT 1 AS one')).toEqual([{ one: 1 }]);
      // The embedded engine has one connection: this would wait for ever.
      await db.query(insertOrg, ['t7', 'beside']);
      tx.atCommit(insertOrg, ['t8', 'at commit, alone']);
      expect(await countOrgs('at commit, alone')).toBe(0);
    });
    expect(await countOrgs('at commit, alone')).toBe(1);
  });

  it('read what they wrote themselves, also by shared reads', async () => {
    await database.db.transaction(async (tx) => {
      await tx.query(insertOrg, ['t9', 'own']);
      const own = await tx.sharedRead("SELECT id FROM orgs WHERE name = 'own'");
      expect(own).toEqual([{ id: 't9' }]);
    });
  });

  it('send what comes first first and what comes last last, and tell what was returned', async () => {
    await database.db.query(insertOrg, ['order', '']);
    const told: unknown[] = [];
    const add = "UPDATE orgs SET name = name || $1 WHERE id = 'order' RETURNING name";
    const returned = (rows: readonly object[]) => void told.push(...rows);
    await database.db.transaction(async (tx) => {
      tx.atCommit(add, ['c'], { order: 'last', returned });
      tx.atCommit(add, ['b'], { returned });
      tx.atCommit(add, ['a'], { order: 'first', returned });
      tx.afterCommit(() => told.push('effect'));
    });
    expect(told).toEqual([{ name: 'a' }, { name: 'ab' }, { name: 'abc' }, 'effect']);
    expect(await countOrgs('abc')).toBe(1);
  });

  it('check on their own connection once they have it, and begin only if that passes', async () => {
    const { db } = database;
    const order: string[] = [];
    await db.transaction(async (tx) => {
      tx.atConnect(async (on) => {
        order.push('checked');
        expect(await on.sharedRead('SELECT 2 AS two')).toEqual([{ two: 2 }]);
      });
      tx.atBegin(insertOrg, ['t10', 'with begin']);
      order.push('opened');
      await tx.query(insertOrg, ['t11', 'with begin']);
    });
    expect(order).toEqual(['opened', 'checked']);
    expect(await countOrgs('with begin')).toBe(2);
    const refused = db.transaction(async (tx) => {
      tx.atConnect(() => Promise.reject(new Error('not any more')));
      tx.atCommit(insertOrg, ['t12', 'unchecked']);
    });
    await expect(refused).rejects.toThrow('not any more');
    expect(await countOrgs('unchecked')).toBe(0);
  });

  it('explain a failure after they have ended, with what can be read then', async () => {
    const { db } = database;
    await db.query(insertOrg, ['t13', 'the first']);
    const failing = db.transaction(async (tx) => {
      await tx.query(insertOrg, ['t14', 'undone']);
      tx.atCommit(insertOrg, ['t13', 'the second'], {
        async explain(error, afterwards) {
          expect(sqlState(error)).toBe('23505');
          const [there] = await afterwards.query<{ name: string }>(
            "SELECT name FROM orgs WHERE id = 't13'",
          );
          return new Error(`taken by ${there?.name}`);
        },
      });
      tx.atCommit(insertOrg, ['t15', 'behind it']);
    });
    await expect(failing).rejects.toThrow('taken by the first');
    expect((await countOrgs('undone')) + (await countOrgs('behind it'))).toBe(0);
  });

  it('send nothing of a packet with a value that cannot be sent', async () => {
    const { db } = database;
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const failing = db.transaction(async (tx) => {
      tx.atCommit(insertOrg, ['t16', 'half a packet']);
      tx.atCommit(insertOrg, ['t17', circle]);
    });
    await expect(failing).rejects.toThrow('circular');
    expect(await countOrgs('half a packet')).toBe(0);
  });

  it('prepare a statement again after its first use has failed', async () => {
    const { db } = database;
    const divide = 'SELECT 12 / $1::int AS quotient';
    for (let use = 0; use < 3; use++) {
      await expect(db.query(divide, [0])).rejects.toThrow('division by zero');
    }
    for (let use = 0; use < 3; use++) {
      expect(await db.query(divide, [4])).toEqual([{ quotient: 3 }]);
    }
  });
});

// The embedded engine has one session, so every statement queues.
describe.runIf(ENGINE === 'postgres')('shared reads', () => {
  it('do not queue behind other statements, however many of those wait', async () => {
    const { db } = database;
    await db.query(`CREATE FUNCTION wait_for_lock() RETURNS void LANGUAGE sql
      AS 'SELECT pg_advisory_xact_lock_shared(15)'`);
    let waiting: Promise<unknown[]> | undefined;
    await db.transaction(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock(15)');
      waiting = Promise.all(Array.from({ length: 5 }, () => db.query('SELECT wait_for_lock()')));
      for (let read = 0; read < 10; read++) {
        expect(await db.sharedRead('SELECT 1 AS one')).toEqual([{ one: 1 }]);
      }
    });
    expect(await waiting).toHaveLength(5);
  });
});

describe('arrays of text', () => {
  it.each([
    [[]],
    [['one']],
    [['messages:read', 'a b', 'c']],
    [['', 'null', 'NULL', null, 'nullable']],
    [['comma, quote " and backslash \\', "it's", '{braces}', '[1:2]={x}']],
    [['NULLABLE', 'größe', '日本', ' space', 'line\nbreak']],
    [
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
  ])('come back as they were: %j', async (array) => {
    const rows = await database.db.query('SELECT $1::text[] AS array', [array]);
    expect(rows).toEqual([{ array }]);
  });
});

describe('violations', () => {
  const failureOf = (text: string, values: unknown[]) =>
    database.db.query(text, values).then(
      () => undefined,
      (error: unknown) => error,
    );

  it('are recognised by their constraint', async () => {
    const insert = 'INSERT INTO users (id, email, email_key, name) VALUES ($1, $2, $2, $2)';
    expect(await failureOf(insert, ['u1', 'a@example.com'])).toBeUndefined();
    expect(isViolation(await failureOf(insert, ['u2', 'a@example.com']), 'emailTaken')).toBe(true);
    expect(isViolation(await failureOf(insert, ['u1', 'b@example.com']), 'emailTaken')).toBe(false);
    expect(isViolation(new Error('users_email_key_key'), 'emailTaken')).toBe(false);
  });

  it('of NOT NULL are recognised by their column, so a new column is not a missing position', async () => {
    const insert = `INSERT INTO messages (org_id, id, session_id, position, author_kind, body, created_at)
      VALUES ('o', 'm', 's', $1, 'USER', $2, now())`;
    const without = await failureOf(insert, [null, 'Hello']);
    expect(isViolation(without, 'noPosition')).toBe(true);
    const other = await failureOf(insert, [1, null]);
    expect(sqlState(other)).toBe('23502');
    expect(isViolation(other, 'noPosition')).toBe(false);
  });
});

describe('migrations', () => {
  it('are applied once', async () => {
    expect(await isMigrated(database.db)).toBe(true);
    expect(await migrate(database.db)).toEqual({ applied: [] });
  });

  // Citus adds its own, and has no triggers on distributed tables.
  it.skipIf(ON_CITUS)('result in the committed schema.sql on this engine', async () => {
    const committed = await readFile(new URL('../schema.sql', import.meta.url), 'utf8');
    expect(await dumpSchema(database.db)).toBe(committed);
  });

  it('refuse a database from a newer version, and a changed migration', async () => {
    const { db } = database;
    await db.query("INSERT INTO schema_migrations VALUES (9999, '9999_future', 'x')");
    await expect(migrate(db)).rejects.toThrow(/9999_future.*newer version/);
    await db.query('DELETE FROM schema_migrations WHERE version = 9999');
    await db.query("UPDATE schema_migrations SET checksum = 'x' || checksum");
    await expect(migrate(db)).rejects.toThrow(/changed after it was applied/);
    await db.query('UPDATE schema_migrations SET checksum = substr(checksum, 2)');
  });

  it('accept a text that made the same schema between two releases', async () => {
    const { db } = database;
    const [{ checksum } = {}] = await db.query<{ checksum: string }>(
      'SELECT checksum FROM schema_migrations WHERE version = 11',
    );
    const set = (value: string | undefined) =>
      db.query('UPDATE schema_migrations SET checksum = $1 WHERE version = 11', [value]);
    await set('443e7d9b48ada7394539bcfc2fd93446299e1e5e4220d0713b18c4aaf569525b');
    expect(await migrate(db)).toEqual({ applied: [] });
    await set(checksum);
  });
});
