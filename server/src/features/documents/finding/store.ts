import type { OrgDb } from '../../../db/types.ts';

/** How often words are on the pages that have them, in any case. Rights are for the caller to check. */
export function countOnPages(
  { db, orgId }: OrgDb,
  fileId: string,
  words: readonly string[],
): Promise<{ page: number; count: number }[]> {
  // Cells of a table are separated by a line.
  const pattern = words.map(escape).join('[[:space:]|]+');
  return db.query<{ page: number; count: number }>(
    `SELECT fp.page, regexp_count(fp.text, $3, 1, 'i') AS count FROM file_pages fp
     WHERE fp.org_id = $1 AND fp.file_id = $2 AND fp.text ~* $3 ORDER BY fp.page`,
    [orgId, fileId, pattern],
  );
}

function escape(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
