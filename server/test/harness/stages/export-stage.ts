import { beforeEach, expect } from 'vitest';
import { createTestOrg, type TestOrg } from '../factories.ts';
import { readExport } from '../clients/untar.ts';
import { useTestServer } from '../processes/use-test-server.ts';

/** A server with a new org for each test, and calls to fill and export it. */
export function useExportStage(env: () => Record<string, string> = () => ({})) {
  const server = useTestServer(async () => ({ authorityMaxAgeMs: 0, env: env() }));
  let org: TestOrg;
  beforeEach(async () => {
    org = await createTestOrg(server.db);
  });

  const start = (path: string, key: string, signal?: AbortSignal) =>
    fetch(server.origin + path, {
      headers: { authorization: `Bearer ${key}` },
      ...(signal && { signal }),
    });
  const post = async (key: string, path: string, body: object) => {
    const reply = await server.call('POST', `/api${path}`, { key, body });
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.json.data;
  };
  const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

  return {
    server,
    post,
    bytesOf,
    get org() {
      return org;
    },
    exportOrg: (key = org.owner.key, signal?: AbortSignal) =>
      start(`/api/org/${org.orgId}/export`, key, signal),
    exportOwn: (key: string) => start('/api/me/export', key),
    recordsOf: async (response: Promise<Response>) => readExport(await bytesOf(await response)),
    get: async (key: string, path: string) =>
      (await server.call('GET', `/api${path}`, { key })).json.data,

    /** A Project with a session, and a message of each author. */
    makeRoom: async (access: 'ORG' | 'MEMBERS', authors: readonly { key: string }[]) => {
      const { owner, admin, member } = org;
      const project = await post(owner.key, '/projects', { name: `P ${Math.random()}`, access });
      for (const { userId } of [admin, member]) {
        await server.call('PUT', `/api/projects/${project.id}/members/${userId}`, {
          key: owner.key,
        });
      }
      const sessions = `/spaces/${project.slug}/sessions`;
      const session = await post(member.key, sessions, { name: 's' });
      const messages = `${sessions}/${session.id}/messages`;
      for (const { key } of authors) await post(key, messages, { body: 'Grüße aus dem Büro 👋' });
      return { project, session, messages };
    },

    /** Copies of a message, enough for several pages. */
    addMessages: async (sessionId: string, count: number): Promise<void> => {
      await server.db.query(
        `INSERT INTO messages (org_id, id, session_id, position, author_kind, author_user_id, body,
           mentions, status, citations, tool_calls, created_at)
         SELECT $1, 'copy' || n, $2, 1000 + n, 'USER', $3, 'body ' || n, '{}', 'COMPLETED', '[]', '[]', now()
         FROM generate_series(1, $4::int) n`,
        [org.orgId, sessionId, org.member.userId, count],
      );
    },
  };
}
