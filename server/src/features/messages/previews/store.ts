import type { PageSummary } from '../../../adapters/web-pages/web-pages.ts';
import { purgeByTime } from '../../../db/purge.ts';
import type { OrgDb, Queryable } from '../../../db/types.ts';
import { RAISE_VERSION, type MessageRow } from '../store.ts';

type Preview = MessageRow['previews'][number];

/** A message whose links may be shown with what is behind them. */
export interface LinkingMessage {
  id: string;
  sessionId: string;
  projectId: string;
  body: string;
  previews: Preview[];
}

/**
 * Undefined for a message that has no previews: it was deleted, its author or the organisation wants none, or an agent
 * wrote it. An agent can be talked into writing a link that carries what it has read.
 */
export async function findLinking(
  { db, orgId }: OrgDb,
  messageId: string,
): Promise<LinkingMessage | undefined> {
  const [row] = await db.query<LinkingMessage>(
    `SELECT m.id, m.session_id AS "sessionId", s.project_id AS "projectId", m.body, m.previews
     FROM messages m JOIN sessions s ON s.org_id = $1 AND s.id = m.session_id
     JOIN orgs o ON o.id = $1 AND o.link_previews
     WHERE m.org_id = $1 AND m.id = $2 AND m.deleted_at IS NULL AND m.author_kind = 'USER'
       AND NOT m.hides_previews`,
    [orgId, messageId],
  );
  return row;
}

/** False if the message has changed meanwhile, or has them already. */
export async function savePreviews(
  { db, orgId }: OrgDb,
  { id, sessionId, body }: LinkingMessage,
  previews: readonly Preview[],
): Promise<boolean> {
  const [, saved] = await Promise.all([
    db.query(RAISE_VERSION, [orgId, sessionId]),
    db.query(
      `UPDATE messages SET previews = $4, previewed_at = now()
       WHERE org_id = $1 AND id = $2 AND body = $3 AND deleted_at IS NULL AND NOT hides_previews
         AND previews <> $4::jsonb
       RETURNING 1 AS saved`,
      [orgId, id, body, JSON.stringify(previews)],
    ),
  ]);
  return saved.length === 1;
}

/** Hiding them also drops those that there are. */
export async function setHidden(
  { db, orgId }: OrgDb,
  { id, sessionId }: Pick<MessageRow, 'id' | 'sessionId'>,
  hides: boolean,
): Promise<void> {
  await Promise.all([
    db.query(RAISE_VERSION, [orgId, sessionId]),
    db.query(
      `UPDATE messages SET hides_previews = $3, previews = CASE WHEN $3 THEN '[]' ELSE previews END,
         previewed_at = CASE WHEN $3 THEN NULL ELSE previewed_at END
       WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL`,
      [orgId, id, hides],
    ),
  ]);
}

interface KnownPage {
  /** Of whoever reads it now; null if it has been read. */
  token: string | null;
  summary: PageSummary | null;
}

/** What is known of a page. If nobody reads it and nothing fresh is known, it is ours to read, with this token. */
export function claimPage(
  { db, orgId }: OrgDb,
  urlHash: string,
  token: string,
  leaseMs: number,
): Promise<KnownPage | undefined> {
  const claim = [orgId, urlHash, token, leaseMs / 1000];
  return db.transaction(async (tx) => {
    const [, , [known]] = await Promise.all([
      tx.query(
        `INSERT INTO link_pages (org_id, url_hash, token, fresh_until)
         VALUES ($1, $2, $3, now() + make_interval(secs => $4)) ON CONFLICT DO NOTHING`,
        claim,
      ),
      tx.query(
        `UPDATE link_pages SET token = $3, summary = NULL, fresh_until = now() + make_interval(secs => $4)
         WHERE org_id = $1 AND url_hash = $2 AND fresh_until <= now()`,
        claim,
      ),
      tx.query<KnownPage>(
        'SELECT token, summary FROM link_pages WHERE org_id = $1 AND url_hash = $2',
        [orgId, urlHash],
      ),
    ]);
    return known;
  });
}

/** Does nothing if somebody else has taken it over. */
export async function savePage(
  { db, orgId }: OrgDb,
  urlHash: string,
  token: string,
  { summary, freshMs }: { summary: PageSummary | null; freshMs: number },
): Promise<void> {
  await db.query(
    `UPDATE link_pages SET token = NULL, summary = $4, fresh_until = now() + make_interval(secs => $5)
     WHERE org_id = $1 AND url_hash = $2 AND token = $3`,
    [orgId, urlHash, token, summary && JSON.stringify(summary), freshMs / 1000],
  );
}

/** As if it had not been taken, for whoever runs the job again. */
export async function releasePage(
  { db, orgId }: OrgDb,
  urlHash: string,
  token: string,
): Promise<void> {
  await db.query('DELETE FROM link_pages WHERE org_id = $1 AND url_hash = $2 AND token = $3', [
    orgId,
    urlHash,
    token,
  ]);
}

const PURGED_AT_ONCE = 1_000;
const EXPIRED = `previewed_at <= now() - interval '30 days'`;

/** Previews of more than 30 days, session by session, and pages that would be read again. */
export async function purgePreviews(db: Queryable): Promise<number> {
  let purged = 0;
  for (;;) {
    const rows = await db.query<{ orgId: string; sessionId: string }>(
      `/* all orgs */ SELECT org_id AS "orgId", session_id AS "sessionId" FROM messages
       WHERE ${EXPIRED} ORDER BY previewed_at LIMIT $1`,
      [PURGED_AT_ONCE],
    );
    const sessions = new Map(rows.map((row) => [`${row.orgId}/${row.sessionId}`, row]));
    for (const { orgId, sessionId } of sessions.values()) {
      await db.transaction((tx) => dropExpired({ db: tx, orgId }, sessionId));
    }
    purged += rows.length;
    if (rows.length < PURGED_AT_ONCE) break;
  }
  return (
    purged + (await purgeByTime(db, { table: 'link_pages', time: 'fresh_until', keep: '1 hour' }))
  );
}

async function dropExpired({ db, orgId }: OrgDb, sessionId: string): Promise<void> {
  await Promise.all([
    db.query(RAISE_VERSION, [orgId, sessionId]),
    db.query(
      `UPDATE messages SET previews = '[]', previewed_at = NULL
       WHERE org_id = $1 AND session_id = $2 AND ${EXPIRED}`,
      [orgId, sessionId],
    ),
  ]);
}
