import type { OrgDb, OrgTransaction, Queryable } from '../../../db/types.ts';
import type { CutPassage } from '../cut-passages.ts';

export interface ReadFile {
  id: string;
  projectId: string;
  name: string;
  mediaType: string;
  size: number;
  storageKey: string | null;
  /** How often reading it has failed. */
  attempts: number;
}

interface Claim {
  token: string;
  now: Date;
  until: Date;
}

/** The newest file whose text nobody is reading. Undefined if there is none. */
export async function findNewest({ db, orgId }: OrgDb, now: Date): Promise<ReadFile | undefined> {
  const [row] = await db.query<ReadFile>(
    `SELECT f.id, f.project_id AS "projectId", f.name, f.media_type AS "mediaType", f.size,
       f.storage_key AS "storageKey", coalesce(fr.attempts, 0) AS attempts
     FROM files f LEFT JOIN file_readings fr ON fr.org_id = $1 AND fr.file_id = f.id
     WHERE f.org_id = $1 AND f.text_status = 'PENDING' AND f.status = 'READY'
       AND (fr.held_until IS NULL OR fr.held_until <= $2)
     ORDER BY f.position DESC LIMIT 1`,
    [orgId, now],
  );
  return row;
}

/** False if somebody else has just taken it. */
export async function claimFile(
  { db, orgId }: OrgDb,
  fileId: string,
  { token, now, until }: Claim,
): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO file_readings AS mine (org_id, file_id, token, held_until, attempts)
     VALUES ($1, $2, $3, $5, 0)
     ON CONFLICT (org_id, file_id) DO UPDATE SET token = excluded.token, held_until = excluded.held_until
     WHERE mine.held_until <= $4 RETURNING 1 AS claimed`,
    [orgId, fileId, token, now, until],
  );
  return rows.length === 1;
}

/** When the first of the files that wait for somebody else, or rest, is free again. */
export async function findNextFree({ db, orgId }: OrgDb): Promise<Date | undefined> {
  const [row] = await db.query<{ at: Date | null }>(
    `SELECT min(fr.held_until) AS at FROM files f
       JOIN file_readings fr ON fr.org_id = $1 AND fr.file_id = f.id
     WHERE f.org_id = $1 AND f.text_status = 'PENDING' AND f.status = 'READY'`,
    [orgId],
  );
  return row?.at ?? undefined;
}

/** Whose it is until then. False if somebody else has taken it over, or the file is gone. */
export async function holdLonger(
  { db, orgId }: OrgDb,
  fileId: string,
  { token, until }: { token: string; until: Date },
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE file_readings SET held_until = $4
     WHERE org_id = $1 AND file_id = $2 AND token = $3 RETURNING 1 AS held`,
    [orgId, fileId, token, until],
  );
  return rows.length === 1;
}

/** After a failure, or if this process has to stop. */
export async function release(
  { db, orgId }: OrgDb,
  fileId: string,
  { token, until, attempts }: { token: string; until: Date; attempts: number },
): Promise<void> {
  await db.query(
    `UPDATE file_readings SET held_until = $4, attempts = $5
     WHERE org_id = $1 AND file_id = $2 AND token = $3`,
    [orgId, fileId, token, until, attempts],
  );
}

/** How far a file was read: its last page, and the heading that goes on after it. */
export interface Progress {
  page: number;
  documentId: string | null;
  passages: number;
  heading: string | null;
}

export async function findProgress({ db, orgId }: OrgDb, fileId: string): Promise<Progress> {
  const [row] = await db.query<Progress>(
    `SELECT coalesce((SELECT max(fp.page) FROM file_pages fp
         WHERE fp.org_id = $1 AND fp.file_id = $2), 0) AS page,
       d.id AS "documentId", coalesce(d.passages, 0) AS passages,
       (SELECT ps.heading FROM passages ps WHERE ps.org_id = $1 AND ps.document_id = d.id
         ORDER BY ps.position DESC LIMIT 1) AS heading
     FROM files f LEFT JOIN documents d ON d.org_id = $1 AND d.file_id = f.id
     WHERE f.org_id = $1 AND f.id = $2`,
    [orgId, fileId],
  );
  return row ?? { page: 0, documentId: null, passages: 0, heading: null };
}

/** A passage with what it is found by without the model. */
export interface IndexedPassage extends CutPassage {
  position: number;
  terms: number[];
  weights: string;
}

export interface NewPage {
  fileId: string;
  page: number;
  /** How many there are, if that is known. */
  pages: number | null;
  text: string;
  isScanned: boolean;
  document: { id: string; projectId: string; language: string };
  passages: readonly IndexedPassage[];
  now: Date;
}

/**
 * False if this reader does not hold the file any more, or it was deleted. Nothing is written then. It locks the file
 * first, as a deletion does.
 */
export async function lockReading(
  { db, orgId }: OrgTransaction,
  fileId: string,
  token: string,
): Promise<boolean> {
  const rows = await db.query(
    `SELECT 1 AS held FROM files f
       JOIN file_readings fr ON fr.org_id = $1 AND fr.file_id = f.id AND fr.token = $3
     WHERE f.org_id = $1 AND f.id = $2 FOR NO KEY UPDATE OF f`,
    [orgId, fileId, token],
  );
  return rows.length === 1;
}

/** A page and its passages, in one commit. */
export function insertPageAtCommit({ db, orgId }: OrgTransaction, page: NewPage): void {
  const { fileId, document, passages, now } = page;
  db.atCommit(
    `INSERT INTO file_pages (org_id, file_id, page, text, is_scanned) VALUES ($1, $2, $3, $4, $5)`,
    [orgId, fileId, page.page, page.text, page.isScanned],
  );
  db.atCommit(
    `INSERT INTO documents AS d (org_id, id, project_id, file_id, language, passages, characters, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (org_id, file_id) DO UPDATE SET passages = d.passages + excluded.passages,
       characters = d.characters + excluded.characters, updated_at = excluded.updated_at`,
    [
      orgId,
      document.id,
      document.projectId,
      fileId,
      document.language,
      passages.length,
      page.text.length,
      now,
    ],
  );
  for (const one of passages) {
    db.atCommit(
      `INSERT INTO passages (org_id, document_id, position, page, heading, start_at, end_at, text,
         terms, term_weights)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        orgId,
        document.id,
        one.position,
        page.page,
        one.heading,
        one.start,
        one.end,
        one.text,
        one.terms,
        one.weights,
      ],
    );
  }
  db.atCommit('UPDATE file_readings SET pages = $3 WHERE org_id = $1 AND file_id = $2', [
    orgId,
    fileId,
    page.pages,
  ]);
}

export interface ReadOutcome {
  status: 'READY' | 'EMPTY' | 'FAILED';
  reason: string | null;
  pages: number | null;
}

/** The end of a reading. `pages` that are unknown stay as they are. */
export function saveOutcomeAtCommit(
  { db, orgId }: OrgTransaction,
  fileId: string,
  { status, reason, pages }: ReadOutcome,
  now: Date,
): void {
  db.atCommit(
    `UPDATE files SET text_status = $3, text_reason = $4, pages = coalesce($5, pages), updated_at = $6
     WHERE org_id = $1 AND id = $2 AND text_status = 'PENDING'`,
    [orgId, fileId, status, reason, pages, now],
  );
  db.atCommit('DELETE FROM file_readings WHERE org_id = $1 AND file_id = $2', [orgId, fileId]);
}

/** Those of the files whose text is to be read. */
export async function listPending(
  { db, orgId }: OrgDb,
  fileIds: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT f.id FROM files f WHERE f.org_id = $1 AND f.id = ANY ($2) AND f.text_status = 'PENDING'`,
    [orgId, fileIds],
  );
  return rows.map(({ id }) => id);
}

/** Across orgs: those with files whose text is to be read. */
export async function listReading(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ orgId: string }>(
    `/* all orgs */ SELECT DISTINCT f.org_id AS "orgId" FROM files f
     WHERE f.text_status = 'PENDING' AND f.status = 'READY'`,
  );
  return rows.map(({ orgId }) => orgId);
}
