import { expect, it } from 'vitest';
import { migrate } from '../src/db/migrate.ts';
import { createDatabaseBefore, insertOrg } from './harness/old-database.ts';

it('messages from before chat channels stay as they are, and still need an author', async () => {
  const old = await createDatabaseBefore('0033');
  const insert = (id: string, position: number, author: string, columns = '') =>
    old.db.query(
      `INSERT INTO messages (org_id, id, session_id, position, author_kind, body, mentions, status,
         citations, tool_calls, created_at${columns})
       VALUES ('corg', '${id}', 's', ${position}, 'USER', 'b', '{}', 'COMPLETED', '[]', '[]', now()${author})`,
    );
  try {
    await insertOrg(old.db, 'corg', [{ id: 'cowner', name: 'o', email: 'o@x' }]);
    await old.db.query(`INSERT INTO projects (org_id, id, slug, name, tags, access, created_by_id)
      VALUES ('corg', 'p', 'p', 'p', '{}', 'ORG', 'cowner')`);
    await old.db.query(`INSERT INTO sessions (org_id, id, project_id, name, participant_user_ids,
      created_by_id, last_position) VALUES ('corg', 's', 'p', 's', '{}', 'cowner', 1)`);
    await insert('m1', 1, `, 'cowner'`, ', author_user_id');
    await migrate(old.db);
    // As a process of the last release writes it.
    await insert('m2', 2, `, 'cowner'`, ', author_user_id');
    await insert('m3', 3, `, '{"name": "Eve"}'`, ', external_author');
    await expect(insert('m4', 4, '')).rejects.toThrow('messages_author_check');
    const rows = await old.db.query(
      'SELECT id, author_user_id AS author, external_author AS external FROM messages ORDER BY id',
    );
    expect(rows).toEqual([
      { id: 'm1', author: 'cowner', external: null },
      { id: 'm2', author: 'cowner', external: null },
      { id: 'm3', author: null, external: { name: 'Eve' } },
    ]);
  } finally {
    await old.drop();
  }
});
