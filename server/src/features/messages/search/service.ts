import type { Context, UserContext } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { inTurns } from '../../../words/in-turns.ts';
import { hashTerm, saltOf } from '../../../words/lexical.ts';
import { requireProject } from '../../projects/service.ts';
import type { SearchMessages } from '../schema.ts';
import { highlight, type Highlight } from './highlight.ts';
import { parseQuery, type ParsedQuery } from './query.ts';
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
  /** True if the org has messages that are not indexed yet. */
  degraded: boolean;
}

export async function searchMessages(
  ctx: UserContext,
  { query, limit, ...filter }: SearchMessages,
): Promise<MessageSearchResult> {
  const { userId, role } = ctx.actor;
  const reader = { orgId: ctx.orgId, userId, role, projectIds: null, sessionId: null };
  const [found, degraded] = await Promise.all([
    findMessages(ctx, reader, { query, filter, limit }),
    hasUnindexed(ctx.db, ctx.orgId),
    requirePlace(ctx, filter),
  ]);
  return { found, degraded };
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

/** How many bodies are read at once to look for a phrase: at most 1.6 MB. */
const READ_AT_ONCE = 20;

/** For people, and for agents, which have a reader of their own. */
export async function findMessages(
  { db, orgId }: Pick<Context, 'db' | 'orgId'>,
  reader: MessageReader,
  { query, filter, limit }: MessageSearch,
): Promise<MessageMatch[]> {
  const parsed = parseQuery(query);
  if (parsed.terms.length === 0) return [];
  const hashOf = (term: string) => hashTerm(term, saltOf(orgId, null));
  const ranked = await rankMessages(db, reader, {
    filter,
    hashes: parsed.terms.map(hashOf),
    required: parsed.required.map(hashOf),
    // Whether a phrase occurs is known only after its message was read.
    limit: parsed.phrases.length > 0 ? RANKED_PER_TERM : limit,
  });
  const found: MessageMatch[] = [];
  const size = parsed.phrases.length > 0 ? READ_AT_ONCE : limit;
  for (let from = 0; from < ranked.length && found.length < limit; from += size) {
    found.push(...(await matchesAmong(db, reader, ranked.slice(from, from + size), parsed)));
  }
  return found.slice(0, limit);
}

/** Without messages that were edited or deleted since they were ranked. */
async function matchesAmong(
  db: Context['db'],
  reader: MessageReader,
  ranked: readonly RankedMessage[],
  query: ParsedQuery,
): Promise<MessageMatch[]> {
  const messages = await readFound(
    db,
    reader,
    ranked.map(({ id }) => id),
  );
  const matches: MessageMatch[] = [];
  for (const { id, score } of ranked) {
    const message = messages.get(id);
    if (!message) continue;
    const highlights = await inTurns(reader.orgId, highlight(message.body, query));
    if (highlights.length > 0) matches.push({ message, score, highlights });
  }
  return matches;
}
