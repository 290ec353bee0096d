import type { Database } from '../../../src/db/types.ts';
import { presentMessage } from '../../../src/features/messages/present.ts';
import { listWindow } from '../../../src/features/messages/pages/store.ts';

/** The newest messages of a session, read from the database by one statement. */
export async function readFreshPage(db: Database, orgId: string, sessionId: string, limit = 50) {
  const listed = await listWindow({ db, orgId }, sessionId, { before: null, around: null, limit });
  if (!listed) throw new Error(`no session ${sessionId}`);
  const { version, total, rows } = listed;
  const items = rows.map(presentMessage);
  const hasMore = rows.at(-1)?.hasOlder === true;
  return {
    version,
    data: { items, total, nextBefore: hasMore ? items.at(-1)?.id : null, hasMore },
  };
}
