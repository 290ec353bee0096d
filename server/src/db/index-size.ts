/**
 * The size of the index that the rows of org $1 are in, in bytes. On Citus it is that of their shard, which has the
 * shard's number behind its name, as the table has. Their node computes it, because no other has the shard.
 */
export function indexSize(table: string, index: string): string {
  const name = `replace(tableoid::regclass::text, '${table}', '${index}')`;
  const size = `pg_relation_size(to_regclass(${name}))`;
  return `coalesce((SELECT ${size} FROM ${table} WHERE org_id = $1 LIMIT 1), 0)`;
}
