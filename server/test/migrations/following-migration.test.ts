import { expect, it } from 'vitest';
import { migrate } from '../../src/db/migrating/migrate.ts';
import { createDatabaseBefore, insertOrg } from '../harness/databases/old-database.ts';

it('people follow what they wrote, were mentioned in, or most of the Project has read; `direct` is free', async () => {
  const old = await createDatabaseBefore('0040');
  try {
    const orgId = 'corg';
    const people = ['ca', 'cb', 'cc'];
    await insertOrg(
      old.db,
      orgId,
      people.map((id) => ({ id, name: id, email: `${id}@x` })),
    );
    await old.db.query(
      `INSERT INTO projects (org_id, id, slug, name, tags, access, created_by_id)
       VALUES ($1, 'p', 'p', 'p', '{}', 'ORG', 'ca'),
         ($1, 'c12345678', 'direct', 'Direct', '{}', 'ORG', 'ca')`,
      [orgId],
    );
    const sessions = ['first', 'written', 'mentioned', 'busy', 'half', 'stale'];
    for (const id of sessions) {
      const age = id === 'stale' ? '40 days' : '1 day';
      await old.db.query(
        `INSERT INTO sessions (org_id, id, project_id, name, participant_user_ids, created_by_id,
           last_position, last_message_at)
         VALUES ($1, $2, 'p', $2, '{}', 'ca', 1, now() - $3::interval)`,
        [orgId, id, age],
      );
      await old.db.query(
        `INSERT INTO messages (org_id, id, session_id, position, author_kind, author_user_id, agent_slug,
           body, mentions, mentioned_user_ids, status, citations, tool_calls, created_at)
         VALUES ($1, 'm' || $2, $2, 1, $3::text, $4, $5, '', '{}', $6, 'COMPLETED', '[]', '[]',
           now() - $7::interval)`,
        [
          orgId,
          id,
          ...(id === 'written' ? ['USER', 'cb', null] : ['AGENT', null, 'bot']),
          id === 'mentioned' ? ['cc'] : [],
          age,
        ],
      );
    }
    const readers = { busy: ['ca', 'cb'], half: ['ca'], stale: people };
    for (const [session, ids] of Object.entries(readers)) {
      for (const userId of ids) {
        await old.db.query(
          'INSERT INTO read_marks (org_id, session_id, user_id, position) VALUES ($1, $2, $3, 1)',
          [orgId, session, userId],
        );
      }
    }
    await old.db.query(
      "INSERT INTO muted_sessions (org_id, session_id, user_id) VALUES ($1, 'first', 'ca')",
      [orgId],
    );
    await migrate(old.db);
    const followed = await old.db.query<{ one: string }>(
      `SELECT session_id || ' ' || user_id AS one FROM followed_sessions ORDER BY one`,
    );
    expect(followed.map(({ one }) => one)).toEqual([
      'busy ca',
      'busy cb',
      'busy cc',
      'mentioned cc',
      'written cb',
    ]);
    const projects = await old.db.query('SELECT slug FROM projects ORDER BY slug');
    expect(projects).toEqual([{ slug: 'direct-12345678' }, { slug: 'p' }]);
    const everyone = await old.db.query('SELECT id FROM sessions WHERE is_for_everyone');
    expect(everyone).toEqual([{ id: 'first' }]);
    expect(await old.db.query('SELECT level FROM muted_sessions')).toEqual([{ level: 'NONE' }]);
  } finally {
    await old.drop();
  }
});
