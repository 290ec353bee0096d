/**
 * The baseline for posting: the same server, but messages without a mention are posted as before there was
 * a search of messages: without the keys that it looks up, and each in a commit of its own.
 */
import { ROUTES } from '../server/src/app/api.ts';
import { withTransaction, type UserContext } from '../server/src/core/context.ts';
import { presentMessage } from '../server/src/features/messages/present.ts';
import { BLANK_MESSAGE } from '../server/src/features/messages/store.ts';
import { callerOf } from '../server/src/access/standing.ts';
import { CAN_READ_SESSION, withParticipant } from '../server/src/access/readable.ts';
import type { Route } from '../server/src/http/route.ts';
import { newId } from '../server/src/core/ids.ts';
import { serveRoutes } from './serve-routes.ts';

async function postPlainly(ctx: UserContext, slug: string, sessionId: string, body: string) {
  const createdAt = ctx.clock.now().toISOString();
  const id = newId();
  await withTransaction(ctx, async (inner) => {
    inner.db.atCommit(
      `WITH place AS (
         UPDATE sessions s SET last_position = s.last_position + 1, last_message_at = $8,
           version = s.version + 1, participant_user_ids = ${withParticipant('$2')}
         FROM projects p
         WHERE s.org_id = $1 AND s.id = $5 AND s.archived_at IS NULL
           AND p.org_id = $1 AND p.id = s.project_id AND p.slug = $4 AND p.archived_at IS NULL
           AND ${CAN_READ_SESSION}
         RETURNING s.last_position, s.project_id)
       INSERT INTO messages (org_id, id, session_id, position, author_kind, author_user_id, body, mentions,
         status, citations, tool_calls, pending_replies, created_at)
       VALUES ($1, $6, $5, (SELECT last_position FROM place), 'USER', $2, $7, '{}', 'COMPLETED', '[]', '[]',
         '[]', $8)
       RETURNING (SELECT project_id FROM place) AS "projectId"`,
      [...callerOf(ctx), slug, sessionId, id, body, createdAt],
      {
        order: 'last',
        returned: ([row]) => {
          const { projectId } = row as { projectId: string };
          ctx.hints.send(ctx.orgId, {
            type: 'message.created',
            projectId,
            sessionId,
            messageId: id,
            parentMessageId: null,
            authorUserId: ctx.actor.userId,
            mentionedUserIds: [],
            createdAt,
          });
        },
      },
    );
  });
  return presentMessage({
    ...BLANK_MESSAGE,
    id,
    sessionId,
    parentMessageId: null,
    authorUserId: ctx.actor.userId,
    body,
    createdAt,
  });
}

await serveRoutes(
  ROUTES.map((route): Route => {
    if (route.operationId !== 'createMessage') return route;
    return {
      ...route,
      handler: (ctx, input) => {
        const { params, body } = input as unknown as {
          params: { slug: string; sessionId: string };
          body: { body: string };
        };
        return postPlainly(ctx as UserContext, params.slug, params.sessionId, body.body);
      },
    };
  }),
);
