import type { UserContext } from '../../../core/context.ts';
import { invalidValue } from '../../../core/errors.ts';
import { JsonPage } from '../../../lists/json-page.ts';
import { createOrgLimit } from '../../../core/org-limit.ts';
import { badParent, requireSession } from '../policy.ts';
import { presentMessage } from '../present.ts';
import type { ListMessages, MessageList, SessionMessagesPath } from '../schema.ts';
import {
  findListAccess,
  listThread,
  listWindow,
  type ListAccess,
  type ListAsker,
} from './store.ts';

export async function listMessages(
  ctx: UserContext,
  path: SessionMessagesPath,
  query: ListMessages,
): Promise<MessageList> {
  const [access] = await findListAccess(ctx.db, [askerOf(ctx, path)]);
  requireSession(access);
  return (await buildPage(ctx, path.sessionId, query)).data;
}

/** Of one org. A page of long messages takes a few milliseconds of the event loop. */
const limitBuilding = { embedded: createOrgLimit(1), postgres: createOrgLimit(3) };

/**
 * The same as bytes, from the cache if the session hasn't changed since they were made. Pages are the same
 * for all readers, so only the caller's access and the session's version are read every time.
 */
export async function readMessagePage(
  ctx: UserContext,
  path: SessionMessagesPath,
  query: ListMessages,
): Promise<JsonPage> {
  const { sessionId } = path;
  const { before, around, parentMessageId, limit } = query;
  const key = JSON.stringify([ctx.orgId, sessionId, before, around, parentMessageId, limit]);
  const { version } = await requireReadable(ctx, path);
  const found = await ctx.pages.get(ctx.orgId, key, version, () =>
    limitBuilding[ctx.db.engine](ctx.orgId, async () => {
      const built = await buildPage(ctx, sessionId, query);
      return { version: built.version, page: await JsonPage.of(built.data) };
    }),
  );
  // The page shows what was written after their access was read, and they may have lost it before that.
  if (found.version !== version) await requireReadable(ctx, path);
  return found.page;
}

/** For a stream of the session's events. */
export async function openSession(ctx: UserContext, path: SessionMessagesPath) {
  const { projectId } = await requireReadable(ctx, path);
  return { projectId, sessionId: path.sessionId };
}

async function requireReadable(ctx: UserContext, path: SessionMessagesPath): Promise<ListAccess> {
  return requireSession(await ctx.lookups.get(findListAccess, askerOf(ctx, path)));
}

function askerOf({ orgId, actor }: UserContext, path: SessionMessagesPath): ListAsker {
  const { userId, role } = actor;
  return { orgId, userId, role, ...path };
}

/** For a caller whose access has been checked. */
async function buildPage(
  ctx: UserContext,
  sessionId: string,
  query: ListMessages,
): Promise<{ version: number; data: MessageList }> {
  const { before = null, around = null, parentMessageId, limit } = query;
  if (around !== null && (before !== null || parentMessageId !== undefined)) {
    throw invalidValue('query.around', 'cannot be combined with before or parentMessageId');
  }
  const listed =
    parentMessageId === undefined
      ? await listWindow(ctx, sessionId, { before, around, limit })
      : await listThread(ctx, sessionId, parentMessageId, { before, limit });
  if (!listed) throw badParent('query.parentMessageId');
  const { version, total, cursorPosition, rows } = listed;
  if ((before ?? around) !== null && cursorPosition === null) {
    const name = before === null ? 'around' : 'before';
    throw invalidValue(`query.${name}`, 'is not a message in this list');
  }
  const items = rows.map(presentMessage);
  const hasMore = rows.at(-1)?.hasOlder === true;
  const nextBefore = hasMore ? (items.at(-1)?.id ?? null) : null;
  return { version, data: { items, total, nextBefore, hasMore } };
}
