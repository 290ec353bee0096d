import type { LoadRequest } from './load.ts';
import { compare, type Side } from './lists.ts';
import { fillSessions } from './messages.ts';
import { setStage, startAtrium, type Stage } from './stage.ts';

const PEOPLE = 50;
const REPLIES = 10_000;

/**
 * What notifications add to posting: a message that mentions 50 people, compared with one that mentions 50
 * names nobody has; and a reply in a thread of 10,000, compared with one in a thread that begins.
 */
export async function benchMentions(): Promise<void> {
  const stage = await setStage();
  const sessions = await fillSessions(stage, { sessions: 100, perSession: 100 });
  await addPeople(stage);
  const [long = '', short = ''] = await addThreads(stage, sessions[0] ?? '');
  const atrium = await startAtrium(stage);
  const side = (body: string, parentMessageId?: string): Side => [
    atrium.origin,
    postRequest(stage, parentMessageId ? sessions.slice(0, 1) : sessions, {
      body,
      parentMessageId,
    }),
  ];
  const names = (prefix: string) =>
    Array.from({ length: PEOPLE }, (_, at) => `@${prefix}${at + 1}`).join(' ');
  try {
    await compare(
      '50 people / 50 unknown names',
      0.9,
      side(names('person')),
      side(names('nobody')),
    );
    await compare(
      'reply in a long thread / in a short one',
      0.9,
      side('x', long),
      side('x', short),
    );
  } finally {
    await atrium.stop();
    await stage.drop();
  }
}

async function addPeople({ db, orgId }: Stage): Promise<void> {
  await db.query(
    `WITH made AS (INSERT INTO users (id, email, email_key, name)
       SELECT 'cperson' || n, 'p' || n, 'p' || n, 'P' FROM generate_series(1, $2::int) n RETURNING id)
     INSERT INTO memberships (org_id, user_id, role, handle)
     SELECT $1, id, 'MEMBER', substr(id, 2) FROM made`,
    [orgId, PEOPLE],
  );
}

/** Two threads in one session. The replies of the first are by ten people. */
async function addThreads({ db, orgId }: Stage, sessionId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT id FROM messages WHERE org_id = $1 AND session_id = $2 ORDER BY position LIMIT 2`,
    [orgId, sessionId],
  );
  const ids = rows.map(({ id }) => id);
  await db.query(
    `INSERT INTO messages (org_id, id, session_id, position, parent_message_id, author_kind,
       author_user_id, body, mentions, status, citations, tool_calls, created_at)
     SELECT $1, 'r' || n, $2, 100000 + n, $3, 'USER', 'cperson' || (n % 10 + 1), 'x', '{}',
       'COMPLETED', '[]', '[]', now() FROM generate_series(1, $4::int) n`,
    [orgId, sessionId, ids[0], REPLIES],
  );
  await db.query(
    `INSERT INTO messages (org_id, id, session_id, position, parent_message_id, author_kind,
       author_user_id, body, mentions, status, citations, tool_calls, created_at)
     SELECT $1, 's' || n, $2, 200000 + n, $3, 'USER', 'cperson' || n, 'x', '{}', 'COMPLETED', '[]',
       '[]', now() FROM generate_series(1, 10) n`,
    [orgId, sessionId, ids[1]],
  );
  await db.query('VACUUM ANALYZE');
  return ids;
}

function postRequest(
  { keys }: Stage,
  sessions: readonly string[],
  message: { body: string; parentMessageId: string | undefined },
): () => LoadRequest {
  const body = JSON.stringify(message);
  let sent = 0;
  return () => {
    const at = sent++;
    return {
      method: 'POST',
      path: `/api/spaces/bench/sessions/${sessions[at % sessions.length]}/messages`,
      headers: {
        authorization: `Bearer ${keys[at % keys.length]}`,
        'content-type': 'application/json',
      },
      body,
    };
  };
}
