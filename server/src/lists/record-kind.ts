import type { UserContext } from '../core/context.ts';
import { recordPage, type RecordPage, type RecordQuery, type ScannedRow } from './record-page.ts';

/** Records of one kind, in the format of the API. An export has one file for each kind. */
export interface RecordKind {
  name: string;
  read(ctx: UserContext, query: RecordQuery): Promise<RecordPage<object>>;
  /** What belongs to the records and is not text. */
  readContents?(ctx: UserContext, query: RecordQuery): Promise<RecordPage<ArchivedContent>>;
}

export interface ArchivedContent {
  /** In the archive. No two are the same. */
  path: string;
  size: number;
  /** Undefined if it is gone. */
  open(): Promise<AsyncIterable<Uint8Array> | undefined>;
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

/** Read as the store scans them. Who may read everything is for the caller of an export to check. */
export function scannedKind<Row extends { id: unknown }>(
  name: string,
  scan: (ctx: UserContext, query: RecordQuery) => Promise<ScannedRow<Row>[]>,
  present: (row: Row) => object,
): RecordKind {
  return recordKind(name, async (ctx, query) => recordPage(await scan(ctx, query)), present);
}

/** Of these, the API lists all at once too. */
export function shortKind<Row>(
  name: string,
  list: (ctx: UserContext) => Promise<Row[]>,
  present: (row: Row) => object,
): RecordKind {
  return recordKind(name, async (ctx) => ({ rows: await list(ctx), next: null }), present);
}
