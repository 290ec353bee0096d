/**
 * The baseline for lists of messages: the same server, but with the list that it had before pages were
 * kept. Each request reads the page, with a sub-query for reactions, and makes a Date for each time.
 */
import { ROUTES } from '../server/src/app/api.ts';
import type { UserContext } from '../server/src/core/context.ts';
import type { Route } from '../server/src/http/route.ts';
import { serveRoutes } from './serve-routes.ts';

interface DirectRow {
  createdAt: Date;
  editedAt: Date | null;
  deletedAt: Date | null;
  reactions: unknown[] | null;
  total: number;
}

async function listDirectly(ctx: UserContext, slug: string, sessionId: string, limit: number) {
  const rows = await ctx.db.sharedRead<DirectRow>(
    `SELECT access.*, m.* FROM (
       SELECT p.id AS "projectId", p.archived_at AS "projectArchivedAt", s.archived_at AS "archivedAt",
         (p.access = 'ORG' OR $3::text IN ('OWNER', 'ADMIN') OR p.created_by_id = $2
           OR EXISTS (SELECT 1 FROM project_members pm
             WHERE pm.org_id = $1 AND pm.project_id = p.id AND pm.user_id = $2)) AS "isMember",
         s.id AS "foundSessionId", s.last_position AS total, NULL::bigint AS "cursorPosition"
       FROM projects p
       LEFT JOIN sessions s ON s.org_id = p.org_id AND s.project_id = p.id AND s.id = $5
       WHERE p.org_id = $1 AND p.slug = $4
     ) access LEFT JOIN LATERAL (
       SELECT m.id, m.session_id AS "sessionId", m.parent_message_id AS "parentMessageId",
         m.author_kind AS "authorKind", m.author_user_id AS "authorUserId",
         m.agent_slug AS "agentSlug", m.in_reply_to_message_id AS "inReplyToMessageId", m.body,
         m.mentions, m.status, m.error, m.citations, m.tool_calls AS "toolCalls",
         m.pending_replies AS "pendingReplies",
         (SELECT json_agg(grouped ORDER BY grouped.first) FROM (
           SELECT r.emoji, count(*)::int AS count,
             array_agg(r.user_id ORDER BY r.position) AS "userIds", min(r.position) AS first
           FROM reactions r WHERE r.org_id = m.org_id AND r.message_id = m.id
           GROUP BY r.emoji) grouped) AS reactions,
         m.reply_count AS "replyCount", m.usage, m.created_at AS "createdAt",
         m.edited_at AS "editedAt", m.deleted_at AS "deletedAt"
       FROM messages m
       WHERE m.org_id = $1 AND m.session_id = access."foundSessionId" AND access."isMember"
         AND m.position <= access.total
       ORDER BY m.position DESC LIMIT $6
     ) m ON true`,
    [ctx.orgId, ctx.actor.userId, ctx.actor.role, slug, sessionId, limit + 1],
  );
  const items = rows.slice(0, limit).map((row) => ({
    ...row,
    reactions: row.reactions ?? [],
    createdAt: row.createdAt.toISOString(),
    editedAt: row.editedAt?.toISOString() ?? null,
    deletedAt: row.deletedAt?.toISOString() ?? null,
  }));
  return { items, total: rows[0]?.total, nextBefore: null, hasMore: rows.length > limit };
}

const routes = ROUTES.map((route): Route => {
  if (route.operationId !== 'listMessages') return route;
  return {
    ...route,
    isTagged: false,
    handler: (ctx, input) => {
      const { params, query } = input as unknown as {
        params: { slug: string; sessionId: string };
        query: { limit: number };
      };
      return listDirectly(ctx as UserContext, params.slug, params.sessionId, query.limit);
    },
  };
});

await serveRoutes(routes);
