import type { UserContext } from '../../../core/context.ts';
import { invalid } from '../../../core/errors.ts';
import { JsonPage } from '../../../lists/json-page.ts';
import { createOrgLimit } from '../../../core/org-limit.ts';
import { recordPage, type RecordPage, type RecordQuery } from '../../../lists/record-page.ts';
import { badParent, requireSession } from '../policy.ts';
import { presentMessage } from '../present.ts';
import type { ListMessages } from '../schema.ts';
import type { MessageRow } from '../store.ts';
import { findListAccess, listThread, listWindow, scanMessages, type ListAsker } from './store.ts';

type PresentedMessage = ReturnType<typeof presentMessage>;

export interface MessagePage {
  items: PresentedMessage[];
  total: number;
  nextBefore: string | null;
  hasMore: boolean;
}

export async function listMessages(
  ctx: UserContext,
  slug: string,
  sessionId: string,
  query: ListMessages,
): Promise<MessagePage> {
  const [access] = await findListAccess(ctx.db, [askerOf(ctx, slug, sessionId)]);
  requireSession(access);
  return (await buildPage(ctx, sessionId, query)).data;
}

/** Of one org. A page of long messages takes a few milliseconds of the event loop. */
const limitBuilding = { embedded: createOrgLimit(1), postgres: createOrgLimit(3) };

/**
 * The same as bytes, from the cache if the session hasn't changed since they were made. Pages are the same
 * for all readers, so only the caller's access and the session's version are read every time.
 */
export async function readMessagePage(
  ctx: UserContext,
  slug: string,
  sessionId: string,
  query: ListMessages,
): Promise<JsonPage> {
  const { before, around, parentMessageId, limit } = query;
  const key = JSON.stringify([ctx.orgId, sessionId, before, around, parentMessageId, limit]);
  const asker = askerOf(ctx, slug, sessionId);
  const readAccess = async () => requireSession(await ctx.lookups.get(findListAccess, asker));
  const { version } = await readAccess();
  const found = await ctx.pages.get(ctx.orgId, key, version, () =>
    limitBuilding[ctx.db.engine](ctx.orgId, async () => {
      const built = await buildPage(ctx, sessionId, query);
      return { version: built.version, page: await JsonPage.of(built.data) };
    }),
  );
  // The page shows what was written after their access was read, and they may have lost it before that.
  if (found.version !== version) await readAccess();
  return found.page;
}

/** For a stream of the session's events. */
export async function openSession(
  ctx: UserContext,
  slug: string,
  sessionId: string,
): Promise<{ projectId: string; sessionId: string }> {
  const { projectId } = requireSession(
    await ctx.lookups.get(findListAccess, askerOf(ctx, slug, sessionId)),
  );
  return { projectId, sessionId };
}

function askerOf({ orgId, actor }: UserContext, slug: string, sessionId: string): ListAsker {
  const { userId, role } = actor;
  return { orgId, userId, role, slug, sessionId };
}

/** For a caller whose access has been checked. */
async function buildPage(
  ctx: UserContext,
  sessionId: string,
  query: ListMessages,
): Promise<{ version: number; data: MessagePage }> {
  const { before = null, around = null, parentMessageId, limit } = query;
  if (around !== null && (before !== null || parentMessageId !== undefined)) {
    throw badQuery('around', 'cannot be combined with before or parentMessageId');
  }
  const listed =
    parentMessageId === undefined
      ? await listWindow(ctx, sessionId, { before, around, limit })
      : await listThread(ctx, sessionId, parentMessageId, { before, limit });
  if (!listed) throw badParent('query.parentMessageId');
  const { version, total, cursorPosition, rows } = listed;
  if ((before ?? around) !== null && cursorPosition === null) {
    throw badQuery(before === null ? 'around' : 'before', 'is not a message in this list');
  }
  const items = rows.map(presentMessage);
  const hasMore = rows.at(-1)?.hasOlder === true;
  const nextBefore = hasMore ? (items.at(-1)?.id ?? null) : null;
  return { version, data: { items, total, nextBefore, hasMore } };
}

function badQuery(name: string, message: string): Error {
  return invalid([{ location: `query.${name}`, code: 'invalid_value', message }]);
}

/** For exports. Who may read everything is for the caller to check. */
export async function readMessages(
  ctx: UserContext,
  query: RecordQuery,
): Promise<RecordPage<MessageRow>> {
  return recordPage(await scanMessages(ctx, query));
}
