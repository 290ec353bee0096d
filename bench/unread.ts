import type { UserContext } from '../server/src/core/context.ts';
import { createMember } from '../server/src/features/identity/service.ts';
import { listAllSessions } from '../server/src/features/sessions/unread/store.ts';
import { median } from './load.ts';
import { setAnyStage, type Stage } from './stage.ts';

const PROJECTS = 50;
const MESSAGES = 10;
const ROUNDS = 7;
/** How many sessions each person follows: some for everyone, some because they were mentioned, the rest as participants. */
const FOLLOWED = 40;
const FOR_EVERYONE = 5;
const MENTIONED = 15;
const FIRST_PAGE = { page: 1, limit: 100, status: 'ACTIVE', unread: false } as const;

/**
 * What the sidebar asks for: the 40 sessions that a person follows, of those of 50 Projects with 10 messages each.
 * `reader` has read all but one session in a hundred and takes part in a thread of each, which they have read.
 * `newcomer` has read nothing that was posted since they joined, which is everything. `everything` is the list of all
 * sessions for the reader, which may grow with them.
 * Prints the time of the SQL, and how it grows with the number of sessions: for those who follow 40, it should not.
 */
export async function benchUnread(sizes = '1,200,1000'): Promise<void> {
  let before: Record<string, number> = {};
  for (const perProject of sizes.split(',').map(Number)) {
    const stage = await setAnyStage();
    try {
      const [reader, newcomer] = [
        await joinOrg(stage, 'reader@example.com'),
        await joinOrg(stage, 'newcomer@example.com'),
      ];
      await fillProjects(stage, perProject, reader);
      await followSome(stage, [reader, newcomer]);
      const took = {
        reader: await timeOverview(stage, reader, true),
        newcomer: await timeOverview(stage, newcomer, true),
        everything: await timeOverview(stage, reader, false),
      };
      for (const [who, ms] of Object.entries(took)) {
        const ratio = before[who] === undefined ? '' : `, ${(ms / before[who]).toFixed(1)} x`;
        process.stdout.write(
          `unread: ${PROJECTS} x ${perProject} sessions on ${stage.db.engine}, ${who}: ${ms.toFixed(1)} ms${ratio}\n`,
        );
      }
      before = took;
    } finally {
      await stage.drop();
    }
  }
}

async function joinOrg({ db, orgId }: Stage, email: string): Promise<string> {
  const user = await createMember(db, orgId, { email, role: 'MEMBER' });
  if (!user) throw new Error(`${email} is a member already`);
  return user.id;
}

async function fillProjects(stage: Stage, perProject: number, reader: string): Promise<void> {
  const { db, orgId, userId } = stage;
  const sessions = PROJECTS * perProject;
  await db.query(
    `INSERT INTO projects (org_id, id, slug, name, tags, access, created_by_id)
     SELECT $1, 'p' || n, 'p' || n, 'p', '{}', 'ORG', $2 FROM generate_series(1, ${PROJECTS}) n`,
    [orgId, userId],
  );
  await db.query(
    `INSERT INTO sessions (org_id, id, project_id, name, participant_user_ids, created_by_id,
       last_position, last_message_at)
     SELECT $1, 's' || n, 'p' || (n % ${PROJECTS} + 1), 's', '{}', $2, ${MESSAGES}, now()
     FROM generate_series(1, $3::int) n`,
    [orgId, userId, sessions],
  );
  await db.query(
    `INSERT INTO messages (org_id, id, session_id, position, author_kind, author_user_id, body, mentions,
       status, citations, tool_calls, created_at, parent_message_id)
     SELECT $1, 'm' || n || '-' || p, 's' || n, p, 'USER', $2, repeat('some words ', 8), '{}', 'COMPLETED',
       '[]', '[]', now(), CASE WHEN p = ${MESSAGES} THEN 'm' || n || '-1' END
     FROM generate_series(1, $3::int) n, generate_series(1, ${MESSAGES}) p`,
    [orgId, userId, sessions],
  );
  await db.query(
    `INSERT INTO read_marks (org_id, session_id, user_id, position)
     SELECT $1, 's' || n, $2, CASE WHEN n % 100 = 0 THEN ${MESSAGES / 2} ELSE ${MESSAGES} END
     FROM generate_series(1, $3::int) n`,
    [orgId, reader, sessions],
  );
  await db.query(
    `INSERT INTO thread_marks (org_id, user_id, parent_message_id, session_id, takes_part, position)
     SELECT $1, $2, 'm' || n || '-1', 's' || n, true, ${MESSAGES} FROM generate_series(1, $3::int) n`,
    [orgId, reader, FOLLOWED],
  );
}

async function followSome({ db, orgId }: Stage, people: string[]): Promise<void> {
  await db.query(
    `UPDATE sessions SET is_for_everyone = true WHERE org_id = $1
       AND id IN (SELECT 's' || n FROM generate_series(1, ${FOR_EVERYONE}) n)`,
    [orgId],
  );
  const last = FOR_EVERYONE + MENTIONED;
  await db.query(
    `INSERT INTO followed_sessions (org_id, user_id, session_id)
     SELECT $1, person, 's' || n FROM unnest($2::text[]) person,
       generate_series(${FOR_EVERYONE + 1}, ${last}) n`,
    [orgId, people],
  );
  await db.query(
    `UPDATE sessions SET participant_user_ids = $2 WHERE org_id = $1
       AND id IN (SELECT 's' || n FROM generate_series(${last + 1}, ${FOLLOWED}) n)`,
    [orgId, people],
  );
  await db.query('VACUUM ANALYZE');
}

async function timeOverview(
  { db, orgId }: Stage,
  userId: string,
  followed: boolean,
): Promise<number> {
  const ctx = { db, orgId, actor: { userId, role: 'MEMBER' } } as unknown as UserContext;
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const started = performance.now();
    await listAllSessions(ctx, { ...FIRST_PAGE, followed });
    times.push(performance.now() - started);
  }
  return median(times);
}
