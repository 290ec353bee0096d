import {
  CAN_READ_FILE,
  EVERY_READER_MAY_READ_FILE,
  IS_ATTACHED_IN_SESSION,
} from '../../access/files.ts';
import { IS_OWN_PROJECT } from '../../access/direct.ts';
import { callerOf, IS_PROJECT_MEMBER } from '../../access/standing.ts';
import type { UserContext } from '../../core/context.ts';
import type { OrgDb, OrgTransaction, Queryable } from '../../db/types.ts';
import type { DocumentReader } from './reader.ts';

/** The reader's rights, as parts of a query of files f. Its first parameters are `values`. */
export interface Rights {
  values: unknown[];
  joins: string;
  mayRead: string;
}

/** Part of every query of pages, documents and passages on somebody's behalf. */
export function rightsOf(reader: DocumentReader): Rights {
  if ('sessionId' in reader) {
    return {
      values: [reader.orgId, reader.sessionId],
      joins: `JOIN sessions s ON s.org_id = $1 AND s.id = $2
        JOIN projects p ON p.org_id = $1 AND p.id = s.project_id`,
      mayRead: reader.isOverheard
        ? `${EVERY_READER_MAY_READ_FILE} AND ${IS_ATTACHED_IN_SESSION}`
        : EVERY_READER_MAY_READ_FILE,
    };
  }
  return {
    values: [reader.orgId, reader.userId, reader.role],
    joins: 'JOIN projects p ON p.org_id = $1 AND p.id = f.project_id',
    mayRead: CAN_READ_FILE,
  };
}

export interface DocumentRow {
  id: string;
  projectId: string;
  title: string;
  url: string | null;
  fileId: string;
  sourceId: string | null;
  mediaType: string;
  language: string;
  passages: number;
  updatedAt: Date;
}

/** Of document d and its file f. */
export const DOCUMENT_COLUMNS = `d.id, d.project_id AS "projectId", f.name AS title, d.url, d.file_id AS "fileId",
  d.source_id AS "sourceId", f.media_type AS "mediaType", d.language, d.passages,
  d.updated_at AS "updatedAt"`;

/** Those of the documents that the reader may read, in no order. */
export function findDocuments(
  db: Queryable,
  reader: DocumentReader,
  documentIds: readonly string[],
): Promise<DocumentRow[]> {
  const { values, joins, mayRead } = rightsOf(reader);
  return db.query<DocumentRow>(
    `SELECT ${DOCUMENT_COLUMNS} FROM documents d
     JOIN files f ON f.org_id = $1 AND f.id = d.file_id ${joins}
     WHERE d.org_id = $1 AND d.id = ANY ($${values.push(documentIds)}) AND ${mayRead}`,
    values,
  );
}

/** What is known of the text of a file that the reader may read. */
export interface FileTextRow {
  id: string;
  projectId: string;
  name: string;
  mediaType: string;
  size: number;
  textStatus: 'NONE' | 'PENDING' | 'READY' | 'EMPTY' | 'FAILED';
  textReason: string | null;
  storageKey: string | null;
  status: string;
  imageWidth: number | null;
  /** The pages that are stored, and how many there are, if that is known. */
  readPages: number;
  allPages: number | null;
  /** Null until the first page is stored. */
  documentId: string | null;
  characters: number;
}

const TEXT_COLUMNS = `f.id, f.project_id AS "projectId", f.name, f.media_type AS "mediaType", f.size,
  f.text_status AS "textStatus", f.text_reason AS "textReason", f.storage_key AS "storageKey", f.status,
  f.image_width AS "imageWidth",
  coalesce((SELECT max(fp.page) FROM file_pages fp WHERE fp.org_id = $1 AND fp.file_id = f.id), 0) AS "readPages",
  (SELECT fr.pages FROM file_readings fr WHERE fr.org_id = $1 AND fr.file_id = f.id) AS "allPages",
  d.id AS "documentId", coalesce(d.characters, 0)::bigint AS characters`;

/** Those of the files that the reader may read, in no order. */
export function findFileTexts(
  db: Queryable,
  reader: DocumentReader,
  fileIds: readonly string[],
): Promise<FileTextRow[]> {
  const { values, joins, mayRead } = rightsOf(reader);
  return db.query<FileTextRow>(
    `SELECT ${TEXT_COLUMNS} FROM files f ${joins}
     LEFT JOIN documents d ON d.org_id = $1 AND d.file_id = f.id
     WHERE f.org_id = $1 AND f.id = ANY ($${values.push(fileIds)}) AND ${mayRead}`,
    values,
  );
}

export interface AttachedText extends FileTextRow {
  messageId: string;
}

/** The files of these messages that the reader may read, in the order of each message. */
export function findAttachedTexts(
  db: Queryable,
  reader: DocumentReader,
  messageIds: readonly string[],
): Promise<AttachedText[]> {
  const { values, joins, mayRead } = rightsOf(reader);
  return db.query<AttachedText>(
    `SELECT used.message_id AS "messageId", ${TEXT_COLUMNS} FROM file_uses used
     JOIN files f ON f.org_id = $1 AND f.id = used.file_id ${joins}
     LEFT JOIN documents d ON d.org_id = $1 AND d.file_id = f.id
     WHERE used.org_id = $1 AND used.used_by_id = ANY ($${values.push(messageIds)})
       AND used.message_id IS NOT NULL AND ${mayRead}
     ORDER BY used.message_id, used.position`,
    values,
  );
}

export interface PageRow {
  page: number;
  text: string;
}

/** The stored pages among these, in order. Rights are for the caller to check. */
export function findPages(
  { db, orgId }: OrgDb,
  fileId: string,
  pages: readonly number[],
): Promise<PageRow[]> {
  return db.query<PageRow>(
    `SELECT fp.page, fp.text FROM file_pages fp
     WHERE fp.org_id = $1 AND fp.file_id = $2 AND fp.page = ANY ($3) ORDER BY fp.page`,
    [orgId, fileId, pages],
  );
}

/** The first pages until they have so many characters. */
export function findFirstPages(
  { db, orgId }: OrgDb,
  fileId: string,
  characters: number,
): Promise<PageRow[]> {
  return db.query<PageRow>(
    `SELECT fp.page, left(fp.text, $3) AS text FROM (
       SELECT page, text, coalesce(sum(length(text)) OVER (ORDER BY page
         ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before_it
       FROM (SELECT page, text FROM file_pages WHERE org_id = $1 AND file_id = $2
         ORDER BY page LIMIT $4) one) fp
     WHERE fp.before_it < $3 ORDER BY fp.page`,
    [orgId, fileId, characters, Math.min(characters, MOST_FIRST_PAGES)],
  );
}

/** Of a file whose pages are short. */
const MOST_FIRST_PAGES = 200;

/** A Project of the org, and whether the caller is a member. No row means 404, no membership 403. */
export async function findProjectStanding(
  ctx: UserContext,
  projectId: string,
): Promise<{ isMember: boolean } | undefined> {
  const [row] = await ctx.db.sharedRead<{ isMember: boolean }>(
    `SELECT ${IS_PROJECT_MEMBER} AS "isMember" FROM projects p
     WHERE p.org_id = $1 AND p.id = $4 AND ${IS_OWN_PROJECT}`,
    [...callerOf(ctx), projectId],
  );
  return row;
}

/** Everything that was read of a file, if its text turned out to be useless. */
export function deleteTextAtCommit({ db, orgId }: OrgTransaction, fileId: string): void {
  for (const table of ['documents', 'file_pages']) {
    db.atCommit(`DELETE FROM ${table} WHERE org_id = $1 AND file_id = $2`, [orgId, fileId]);
  }
}
