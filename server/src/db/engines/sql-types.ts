import pg from 'pg';

const INT8 = 20;
const TEXT_ARRAY = 1009;

const parseArray = pg.types.getTypeParser(TEXT_ARRAY as number, 'text') as typeof parseTextArray;

/** The driver reads arrays letter by letter, and every request reads its key's scopes. */
function parseTextArray(text: string): (string | null)[] {
  if (text === '{}') return [];
  const isPlain = /^\{[^"{}]+\}$/.test(text) && !text.includes('NULL');
  return isPlain ? text.slice(1, -1).split(',') : parseArray(text);
}

/** Counts and positions are bigint; all of ours stay below 2^53. */
export const parseSqlTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8) return Number;
    if (oid === TEXT_ARRAY && format !== 'binary') return parseTextArray;
    return pg.types.getTypeParser(oid, format ?? 'text');
  },
};
