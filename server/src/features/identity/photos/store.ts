import type { Queryable } from '../../../db/types.ts';

export interface PhotoRow {
  contentType: string;
  bytes: Buffer;
}

export async function upsertPhoto(
  db: Queryable,
  { userId, contentType, bytes, hash }: PhotoRow & { userId: string; hash: string },
): Promise<void> {
  await db.query('UPDATE users SET photo_hash = $2 WHERE id = $1 AND deleted_at IS NULL', [
    userId,
    hash,
  ]);
  await db.query(
    `INSERT INTO photos (user_id, content_type, bytes) VALUES ($1, $2, $3)
     ON CONFLICT (user_id) DO UPDATE SET content_type = excluded.content_type, bytes = excluded.bytes,
       created_at = excluded.created_at`,
    [userId, contentType, bytes],
  );
}

export async function deletePhoto(db: Queryable, userId: string): Promise<void> {
  await db.query('UPDATE users SET photo_hash = NULL WHERE id = $1', [userId]);
  await db.query('DELETE FROM photos WHERE user_id = $1', [userId]);
}

interface PhotoQuery {
  userId: string;
  hash: string;
  readerId: string;
  /** Null: in any org of the reader. */
  onlyOrgId: string | null;
}

/** The person's current photo, if the reader is in one of their organisations, or is that person. */
export async function findPhoto(db: Queryable, { userId, hash, readerId, onlyOrgId }: PhotoQuery) {
  const [row] = await db.query<PhotoRow>(
    `SELECT f.content_type AS "contentType", f.bytes FROM photos f JOIN users u ON u.id = f.user_id
     WHERE f.user_id = $1 AND u.photo_hash = $2 AND u.deleted_at IS NULL
       AND ($1 = $3 OR EXISTS (SELECT 1 FROM memberships theirs
         JOIN memberships mine ON mine.org_id = theirs.org_id AND mine.user_id = $3
         WHERE theirs.user_id = $1 AND ($4::text IS NULL OR theirs.org_id = $4)))`,
    [userId, hash, readerId, onlyOrgId],
  );
  return row;
}

/** For exports. */
export async function findPhotoOf(db: Queryable, userId: string) {
  const [row] = await db.query<PhotoRow>(
    'SELECT content_type AS "contentType", bytes FROM photos WHERE user_id = $1',
    [userId],
  );
  return row;
}

/** The photos of an organisation's members, by person. Each is large, so a page has few. */
export async function listPhotos(
  db: Queryable,
  orgId: string,
  { after, limit }: { after: string; limit: number },
): Promise<(PhotoRow & { userId: string })[]> {
  return db.query(
    `SELECT f.user_id AS "userId", f.content_type AS "contentType", f.bytes
     FROM memberships m JOIN photos f ON f.user_id = m.user_id
     WHERE m.org_id = $1 AND m.user_id > $2 ORDER BY m.user_id LIMIT $3`,
    [orgId, after, limit],
  );
}

/** What a process of an older version left when somebody deleted their account. */
export async function purgePhotos(db: Queryable): Promise<number> {
  const rows = await db.query(
    `/* all orgs */ DELETE FROM photos f USING users u
     WHERE u.id = f.user_id AND u.deleted_at IS NOT NULL RETURNING 1 AS erased`,
  );
  return rows.length;
}
