import type { Context, UserContext } from '../../../core/context.ts';
import { notFound } from '../../../core/errors.ts';
import { createOrgLimit } from '../../../core/org-limit.ts';
import { pagesOf, PAGE_BYTES, takePage } from '../../../lists/page-bytes.ts';
import { inTurns } from '../../../text/words/in-turns.ts';
import { hashTerm, saltOf } from '../../../text/words/lexical.ts';
import { requireProject } from '../../../access/project.ts';
import type { MessageContent, SearchMessages } from '../schema.ts';
import { hasAll } from './has.ts';
import { createHighlighter, type Highlight } from './highlight.ts';
import { parseQuery } from './query.ts';
import { RANKED_PER_TERM, rankMessages, type RankedMessage } from './ranking/store.ts';
import {
  findFilterPlace,
  hasUnindexed,
  readFound,
  type FoundMessage,
  type MessageFilter,
  type MessageReader,
} from './store.ts';

export type { MessageReader } from './store.ts';

export interface MessageMatch {
  message: FoundMessage;
  score: number;
  highlights: Highlight[];
}

export interface MessageSearchResult {
  found: MessageMatch[];
  /** True if matches may be missing: the org has messages that are not indexed yet, or there was too much to read. */
  degraded: boolean;
}

export async function searchMessages(
  ctx: UserContext,
  { query, limit, ...filter }: SearchMessages,
): Promise<MessageSearchResult> {
  const { userId, role } = ctx.actor;
  const reader = { orgId: ctx.orgId, userId, role, projectIds: null, sessionId: null };
  const [{ matches, isComplete }, isBehind] = await Promise.all([
    findMessages(ctx, reader, { query, filter, limit }),
    hasUnindexed(ctx),
    requirePlace(ctx, filter),
  ]);
  return { found: matches, degraded: isBehind || !isComplete };
}

/** 404 and 403 for a Project or session that the caller filters by, as everywhere else. */
export async function requirePlace(ctx: UserContext, filter: MessageFilter): Promise<void> {
  const { projectId, sessionId } = filter;
  if (projectId === undefined && sessionId === undefined) return;
  const place = await findFilterPlace(ctx, filter);
  if (!place && projectId === undefined) throw notFound('This session');
  const { foundSessionId } = requireProject(place);
  if (sessionId !== undefined && foundSessionId === null) throw notFound('This session');
}

interface MessageSearch {
  query: string;
  filter: MessageFilter;
  limit: number;
}

/** How many bodies are read at once to look for a phrase, or fewer if they are long. */
const READ_AT_ONCE = 20;

/** Of one org. A search among long messages takes the database tens of milliseconds. */
const limitSearches = { embedded: createOrgLimit(1), postgres: createOrgLimit(3) };

export interface FoundMessages {
  matches: MessageMatch[];
  /** False if there was more text than one search reads or returns, so that matches may be missing. */
  isComplete: boolean;
}

/** For people, and for agents, which have a reader of their own. */
export function findMessages(
  { db, orgId }: Pick<Context, 'db' | 'orgId'>,
  reader: MessageReader,
  search: MessageSearch,
): Promise<FoundMessages> {
  return limitSearches[db.engine](orgId, () => find(db, reader, search));
}

async function find(
  db: Context['db'],
  reader: MessageReader,
  { query, filter, limit }: MessageSearch,
): Promise<FoundMessages> {
  const parsed = parseQuery(query);
  if (parsed.terms.length === 0) return { matches: [], isComplete: true };
  const hashOf = (term: string) => hashTerm(term, saltOf(reader.orgId, null));
  const { has = [] } = filter;
  const mustRead = parsed.phrases.length > 0 || has.length > 0;
  const ranked = await rankMessages(db, reader, {
    filter,
    hashes: parsed.terms.map(hashOf),
    required: parsed.required.map(hashOf),
    // Whether a phrase or a link occurs is known only after its message was read.
    limit: mustRead ? RANKED_PER_TERM : limit,
  });
  const highlight = createHighlighter(parsed);
  const matches: SizedMatch[] = [];
  let [read, bytesFound] = [0, 0];
  for (const page of pagesOf(ranked, mustRead ? READ_AT_ONCE : limit)) {
    if (matches.length >= limit || bytesFound >= PAGE_BYTES) break;
    const found = await matchesAmong(db, reader, page, { has, highlight });
    read += page.length;
    for (const match of found) bytesFound += bytesOf(match);
    matches.push(...found);
  }
  const best = matches.slice(0, limit);
  const fitting = takePage(best, bytesOf);
  const hasAll = best.length === limit || read === ranked.length;
  return { matches: fitting, isComplete: hasAll && fitting.length === best.length };
}

interface SizedMatch extends MessageMatch {
  /** The length of the body. */
  bytes: number;
}

/** A highlight takes about 30 bytes. */
function bytesOf({ bytes, highlights }: SizedMatch): number {
  return bytes + highlights.length * 30;
}

/** Without messages that were edited or deleted since they were ranked. */
async function matchesAmong(
  db: Context['db'],
  reader: MessageReader,
  ranked: readonly RankedMessage[],
  {
    has,
    highlight,
  }: { has: readonly MessageContent[]; highlight: ReturnType<typeof createHighlighter> },
): Promise<SizedMatch[]> {
  const messages = await readFound(
    db,
    reader,
    ranked.map(({ id }) => id),
  );
  const matches = [];
  for (const { id, score, bytes } of ranked) {
    const message = messages.get(id);
    if (!message || !hasAll(message, has)) continue;
    const highlights = await inTurns(reader.orgId, highlight(message.body));
    if (highlights.length > 0) matches.push({ message, score, highlights, bytes });
  }
  return matches;
}
