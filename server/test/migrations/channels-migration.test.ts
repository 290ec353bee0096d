import { expect, it } from 'vitest';
import { migrate } from '../../src/db/migrating/migrate.ts';
import { addConnection, addMapping } from '../harness/channels.ts';
import { createDatabaseBefore, insertOrg } from '../harness/databases/old-database.ts';

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

it('what OWNER and ADMIN mapped may be private, what a MEMBER mapped has to be looked at', async () => {
  const old = await createDatabaseBefore('0036');
  try {
    const people = ['cowner', 'cadmin', 'cmember'];
    await insertOrg(
      old.db,
      'corg',
      people.map((id) => ({ id, name: id, email: `${id}@x` })),
    );
    for (const id of people) {
      await old.db.query('UPDATE memberships SET role = $2 WHERE org_id = $3 AND user_id = $1', [
        id,
        id.slice(1).toUpperCase(),
        'corg',
      ]);
    }
    await old.db.query(`INSERT INTO projects (org_id, id, slug, name, tags, access, created_by_id)
      VALUES ('corg', 'p', 'p', 'p', '{}', 'ORG', 'cowner')`);
    const connectionId = await addConnection(old.db, 'corg');
    for (const id of people) {
      await old.db.query(
        `INSERT INTO sessions (org_id, id, project_id, name, participant_user_ids,
          created_by_id, last_position) VALUES ('corg', $1, 'p', 's', '{}', 'cowner', 1)`,
        [id],
      );
      const place = { connectionId, projectId: 'p', sessionId: id };
      const mappingId = await addMapping(old.db, 'corg', place);
      await old.db.query(
        'UPDATE channel_mappings SET created_by_id = $2 WHERE org_id = $3 AND id = $1',
        [mappingId, id, 'corg'],
      );
    }
    await migrate(old.db);
    const rows = await old.db.query(
      'SELECT created_by_id AS by, privacy, answered FROM channel_mappings ORDER BY created_by_id',
    );
    expect(rows).toEqual([
      { by: 'cadmin', privacy: 'ALLOWED', answered: [] },
      { by: 'cmember', privacy: 'PUBLIC', answered: [] },
      { by: 'cowner', privacy: 'ALLOWED', answered: [] },
    ]);
  } finally {
    await old.drop();
  }
});
