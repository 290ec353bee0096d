import { outerOf } from './transactions/outer-transaction.ts';
import type { Queryable } from './types.ts';

export type Settings = Readonly<Record<string, string | number>>;

/**
 * PostgreSQL keeps the plan of a statement that is run often, and makes it for an organisation of average size.
 * In one that is a thousand times as large, reading all of its rows then looks cheap: searches took 700 ms instead
 * of 10. Statements with these settings are planned for their values, each time, and not compiled, also behind
 * PgBouncer. The embedded database has few organisations, plans more slowly and compiles nothing.
 */
export function plannedForValues({ engine }: Pick<Queryable, 'engine'>): Settings {
  return engine === 'postgres' ? { plan_cache_mode: 'force_custom_plan', jit: 'off' } : {};
}

/** Runs one statement with settings of its own. */
export async function queryWith<Row extends object>(
  db: Queryable,
  settings: Settings,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const all = Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = ${value}`);
  if (all.length === 0) return db.query<Row>(text, values);
  return db.transaction(async (tx) => {
    const set = outerOf(tx).script(all.join('; '));
    const [, rows] = await Promise.all([set, tx.query<Row>(text, values)]);
    return rows;
  });
}
