/** The baseline: no authentication, limits, validation, idempotency or envelope. */
import Fastify from 'fastify';
import pg from 'pg';
import { newId } from '../server/src/core/ids.ts';

const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: Number(process.env['DATABASE_POOL_MAX']),
});
const orgId = process.env['BENCH_ORG'];
const userId = process.env['BENCH_USER'];
const app = Fastify();

app.get<{ Params: { id: string } }>('/projects/:id', async (request) => {
  const { rows } = await pool.query({
    name: 'find',
    text: `SELECT id, slug, name, description, tags, access, created_by_id, created_at, updated_at, archived_at
           FROM projects WHERE org_id = $1 AND id = $2`,
    values: [orgId, request.params.id],
  });
  return rows[0];
});

app.post<{ Body: { name: string } }>('/projects', async (request, reply) => {
  const id = newId();
  const { rows } = await pool.query({
    name: 'insert',
    text: `INSERT INTO projects (org_id, id, slug, name, description, tags, access, created_by_id)
           VALUES ($1, $2, $3, $4, NULL, '{}', 'ORG', $5)
           RETURNING id, slug, name, description, tags, access, created_by_id, created_at, updated_at, archived_at`,
    values: [orgId, id, id, request.body.name, userId],
  });
  return reply.code(201).send(rows[0]);
});

app.post<{ Params: { session: string }; Body: { body: string } }>(
  '/sessions/:session/messages',
  async (request, reply) => {
    const id = newId();
    const { rows } = await pool.query({
      name: 'message',
      text: `INSERT INTO messages (org_id, id, session_id, position, author_kind, author_user_id, body, mentions,
               status, citations, tool_calls, created_at)
             VALUES ($1, $2, $3, nextval('bench_positions'), 'USER', $4, $5, '{}', 'COMPLETED', '[]', '[]', now())
             RETURNING *`,
      values: [orgId, id, request.params.session, userId, request.body.body],
    });
    return reply.code(201).send(rows[0]);
  },
);
await pool.query('CREATE SEQUENCE IF NOT EXISTS bench_positions START 1000000000');

await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
process.stderr.write(`{"port":${typeof address === 'object' ? address?.port : ''}}\n`);
process.once('SIGTERM', () => process.exit(0));
