import { expect, it } from 'vitest';
import { migrate } from '../../src/db/migrating/migrate.ts';
import { createDatabaseBefore, insertOrg } from '../harness/databases/old-database.ts';

it('read marks from before there were marks of threads are kept, and count for threads too', async () => {
  const old = await createDatabaseBefore('0023');
  try {
    const orgId = 'corg';
    const people = ['cowner', 'cadmin', 'cmember'];
    await insertOrg(
      old.db,
      orgId,
      people.map((id) => ({ id, name: id, email: `${id}@x` })),
    );
    const values = [orgId, ...people];
    for (const statement of [
      `INSERT INTO projects (org_id, id, slug, name, tags, access, created_by_id)
       VALUES ($1, 'p', 'p', 'p', '{}', 'ORG', $2)`,
      `INSERT INTO sessions (org_id, id, project_id, name, participant_user_ids, created_by_id,
         last_position)
       VALUES ($1, 's', 'p', 's', '{}', $2, 4)`,
      // The OWNER begins a thread. The ADMIN and an agent reply, and the MEMBER does not.
      `INSERT INTO messages (org_id, id, session_id, position, parent_message_id, author_kind,
         author_user_id, agent_slug, body, mentions, status, citations, tool_calls, created_at)
       VALUES ($1, 'm1', 's', 1, NULL, 'USER', $2, NULL, '', '{}', 'COMPLETED', '[]', '[]', now()),
         ($1, 'm2', 's', 2, 'm1', 'USER', $3, NULL, '', '{}', 'COMPLETED', '[]', '[]', now()),
         ($1, 'm3', 's', 3, 'm1', 'AGENT', NULL, 'bot', '', '{}', 'COMPLETED', '[]', '[]', now()),
         ($1, 'm4', 's', 4, NULL, 'USER', $4, NULL, '', '{}', 'COMPLETED', '[]', '[]', now())`,
      "INSERT INTO read_marks (org_id, session_id, user_id, position) VALUES ($1, 's', $2, 2)",
    ]) {
      // Each statement gets the parameters that it names.
      const most = Math.max(...[...statement.matchAll(/\$(\d)/g)].map(([, nth]) => Number(nth)));
      await old.db.query(statement, values.slice(0, most));
    }
    await migrate(old.db);
    const marks = await old.db.query(
      `SELECT user_id, parent_message_id AS thread, takes_part, position
       FROM thread_marks ORDER BY position DESC`,
    );
    const shared = { thread: 'm1', takes_part: true };
    expect(marks).toEqual([
      { user_id: 'cowner', position: 2, ...shared },
      { user_id: 'cadmin', position: 0, ...shared },
    ]);
    expect(await old.db.query('SELECT user_id, position, set_back_at FROM read_marks')).toEqual([
      { user_id: 'cowner', position: 2, set_back_at: null },
    ]);
  } finally {
    await old.drop();
  }
});
