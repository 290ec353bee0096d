import pg from 'pg';

const INT8 = 20;

/** Counts and positions are bigint; all of ours stay below 2^53. */
export const parseSqlTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8) return Number;
    return pg.types.getTypeParser(oid, format ?? 'text');
  },
};
