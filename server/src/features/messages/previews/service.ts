import { setTimeout as sleep } from 'node:timers/promises';
import { PAGE_MS, type PageSummary, type WebPages } from '../../../adapters/web-pages/web-pages.ts';
import { withTransaction, type Context } from '../../../core/context.ts';
import { newId } from '../../../core/ids.ts';
import type { Transaction } from '../../../db/types.ts';
import { emit } from '../../../events/emit.ts';
import { hashLink, laneFor, linksToPreview } from './links.ts';
import { claimPage, findLinking, releasePage, savePage, savePreviews, setHidden } from './store.ts';

export { setHidden };

/** The job that makes the previews of one message. */
export const PREVIEW_LINKS = 'preview-links';

/** Longer than a page takes, so that nobody else reads it meanwhile. */
const LEASE_MS = 4 * PAGE_MS;
const LOOK_AGAIN_MS = 200;
const FRESH_MS = 24 * 60 * 60_000;
/** A page that could not be read, or says nothing, is read again sooner. */
const FAILED_FRESH_MS = 10 * 60_000;

/** In the commit that writes the body. A body without links costs nothing. */
export function enqueuePreviews(
  ctx: Pick<Context, 'jobs' | 'orgId' | 'site' | 'webPages'> & { db: Transaction },
  messageId: string,
  body: string,
): void {
  const [first] = ctx.webPages ? linksToPreview(ctx, body) : [];
  if (first === undefined) return;
  const payload = { orgId: ctx.orgId, messageId };
  ctx.jobs.enqueue(ctx.db, { kind: PREVIEW_LINKS, payload, lane: laneFor(ctx.orgId, first) });
}

/** All previews of a message in one commit, so that open pages read it once more. */
export async function previewLinks(
  ctx: Context,
  messageId: string,
  signal: AbortSignal,
): Promise<void> {
  const { webPages } = ctx;
  const message = webPages && (await findLinking(ctx, messageId));
  if (!message) return;
  const links = linksToPreview(ctx, message.body);
  const made = await Promise.all(
    links.map(async (url) => {
      const summary = await readOnce(ctx, webPages, url, signal);
      return summary ? [{ url, ...summary }] : [];
    }),
  );
  const previews = made.flat();
  if (previews.length === 0 && message.previews.length === 0) return;
  await withTransaction(ctx, async (inner) => {
    if (!(await savePreviews(inner, message, previews))) return;
    const { projectId, sessionId } = message;
    emit(inner, { type: 'message.updated', projectId, sessionId, messageId });
  });
}

/** One reads a page, for all messages of the organisation that link to it; others wait for that. */
async function readOnce(
  ctx: Context,
  webPages: WebPages,
  url: string,
  signal: AbortSignal,
): Promise<PageSummary | null> {
  const urlHash = hashLink(url);
  const token = newId();
  for (;;) {
    const known = await claimPage(ctx, urlHash, token, LEASE_MS);
    if (known?.token === token) break;
    if (known?.token === null) return known.summary;
    await sleep(LOOK_AGAIN_MS, undefined, { signal });
  }
  try {
    const summary = await webPages.summarise(url, signal);
    const freshMs = summary ? FRESH_MS : FAILED_FRESH_MS;
    await savePage(ctx, urlHash, token, { summary, freshMs });
    return summary;
  } catch (error) {
    await releasePage(ctx, urlHash, token);
    throw error;
  }
}
