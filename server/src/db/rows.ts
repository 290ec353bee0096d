import { parseSqlTypes } from './engines/sql-types.ts';

/** What the database says about a column. */
export interface DescribedColumn {
  name: string;
  dataTypeID: number;
}

/** How the rows of a statement become objects. */
export interface RowShape {
  columns: { name: string; parse: (text: string) => unknown }[];
  /** A row of nulls. Copies of it are faster than rows that grow. */
  empty: object;
}

export const NO_ROWS: RowShape = { columns: [], empty: {} };

export function shapeOf(described: readonly DescribedColumn[]): RowShape {
  return {
    columns: described.map(({ name, dataTypeID }) => ({
      name,
      parse: parseSqlTypes.getTypeParser(dataTypeID, 'text'),
    })),
    empty: Object.fromEntries(described.map(({ name }) => [name, null])),
  };
}

export function toRow(shape: RowShape, values: readonly (string | null)[]): object {
  const row: Record<string, unknown> = { ...shape.empty };
  let at = 0;
  for (const { name, parse } of shape.columns) {
    const value = values[at++] ?? null;
    if (value !== null) row[name] = parse(value);
  }
  return row;
}
