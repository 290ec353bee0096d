import type { UserContext } from '../core/context.ts';
import type { RecordPage, RecordQuery } from './record-page.ts';

/** Records of one kind, in the format of the API. An export has one file for each kind. */
export interface RecordKind {
  name: string;
  read(ctx: UserContext, query: RecordQuery): Promise<RecordPage<object>>;
}

export function recordKind<Row>(
  name: string,
  read: (ctx: UserContext, query: RecordQuery) => Promise<RecordPage<Row>>,
  present: (row: Row) => object,
): RecordKind {
  return {
    name,
    async read(ctx, query) {
      const { rows, next } = await read(ctx, query);
      return { rows: rows.map(present), next };
    },
  };
}

/** Of these, the API lists all at once too. */
export function shortKind<Row>(
  name: string,
  list: (ctx: UserContext) => Promise<Row[]>,
  present: (row: Row) => object,
): RecordKind {
  return recordKind(name, async (ctx) => ({ rows: await list(ctx), next: null }), present);
}
