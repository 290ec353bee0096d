import type { Queryable } from './types.ts';

export interface SealedRow {
  orgId: string;
  id: string;
  sealedSecret: Buffer;
}

/** A column of secrets, for the operator's commands that look at all of them. */
export interface SealedColumn {
  /** A page of all orgs' secrets, after the given one. */
  list: (
    db: Queryable,
    after: Pick<SealedRow, 'orgId' | 'id'>,
    limit: number,
  ) => Promise<SealedRow[]>;
  /** False if it was removed or sealed again since it was read. */
  replace: (db: Queryable, row: SealedRow, resealed: Buffer) => Promise<boolean>;
}

/** With the vault's name for the place of each secret. */
export interface SealedSource extends SealedColumn {
  placeOf: (orgId: string, id: string) => string;
}

export function sealedColumn(table: string, column: string): SealedColumn {
  return {
    list: (db, after, limit) =>
      db.query<SealedRow>(
        `/* all orgs */ SELECT org_id AS "orgId", id, ${column} AS "sealedSecret" FROM ${table}
         WHERE ${column} IS NOT NULL AND (org_id, id) > ($1, $2) ORDER BY org_id, id LIMIT $3`,
        [after.orgId, after.id, limit],
      ),
    async replace(db, { orgId, id, sealedSecret }, resealed) {
      const rows = await db.query(
        `UPDATE ${table} SET ${column} = $4
         WHERE org_id = $1 AND id = $2 AND ${column} = $3 RETURNING 1 AS replaced`,
        [orgId, id, sealedSecret, resealed],
      );
      return rows.length === 1;
    },
  };
}
