import type { DeclaredField } from './declared-rows.ts';
import type { DescribedColumn } from './described-columns.ts';

/** What the declared fields of a row and the columns of a statement disagree about. */
export function* compareRows(
  fields: ReadonlyMap<string, DeclaredField>,
  columns: readonly DescribedColumn[],
  /** Columns that can be null in their table, but not in this statement. */
  isNeverNull: (name: string) => boolean,
): Generator<string> {
  for (const [name, field] of fields) {
    const column = columns.find((each) => each.name === name);
    if (column) yield* compareField(field, column, isNeverNull);
    else if (!field.isOptional) yield `${name} is declared, but the statement does not return it`;
  }
  for (const { name } of columns) {
    if (!fields.has(name)) yield `the statement returns ${name}, which is not declared`;
  }
}

function* compareField(
  { kinds, isNullable, isOptional }: DeclaredField,
  column: DescribedColumn,
  isNeverNull: (name: string) => boolean,
): Generator<string> {
  const { name, type, kind } = column;
  const declared = `${name} is declared as ${[...kinds].join(' | ')}`;
  const isSame = kind === 'json' || [...kinds].every((each) => each === kind || each === 'unknown');
  if (!isSame) yield `${declared}, but ${type} becomes ${kind}`;
  if (column.isNullable && !isNullable && !isOptional && !isNeverNull(name)) {
    yield `${declared}, but this column (${type}) can be null`;
  }
}
