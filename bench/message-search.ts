import { parseQuery } from '../server/src/features/messages/search/query.ts';
import {
  RANKED_PER_TERM,
  rankMessages,
} from '../server/src/features/messages/search/ranking/store.ts';
import {
  readFound,
  type MessageFilter,
  type MessageReader,
} from '../server/src/features/messages/search/store.ts';
import { hashTerm, saltOf } from '../server/src/text/words/lexical.ts';
import { load, median, type LoadRequest } from './load.ts';
import {
  anyRank,
  fillMessages,
  PROJECTS,
  sessionId,
  SESSIONS,
  VOCABULARY,
  word,
  WORDS,
} from './message-search-fill.ts';
import { setAnyStage, startAtrium, startPlainPosts, type Stage } from './stage.ts';

const MESSAGES = { postgres: 1_000_000, embedded: 20_000 };
const QUERIES = 100;
const LIMIT = 20;
const ROUNDS = 5;
const SECONDS = 4;
const TARGETS = { search: 60, post: 0.9 };

const any = (from: number, to: number) => from + Math.floor(Math.random() * (to - from));

/** How long searches take in an org with this many messages, and what posting costs more for them. */
export async function benchMessageSearch(asked?: string): Promise<void> {
  const [stage, before] = [await setAnyStage(), await setAnyStage()];
  const engine = stage.databaseUrl === '' ? 'embedded' : 'postgres';
  const count = asked === undefined ? MESSAGES[engine] : Number(asked);
  try {
    const startedAt = performance.now();
    await fillMessages(stage, count, { searchable: true });
    await fillMessages(before, count, { searchable: false });
    process.stdout.write(
      `message-search, ${engine}: ${count} messages of ${WORDS} words in ${SESSIONS} sessions of ${PROJECTS} Projects, filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`,
    );
    await benchSearches(stage);
    await benchPosts(stage, before);
  } finally {
    await stage.drop();
    await before.drop();
  }
}

async function benchSearches({ db, orgId, userId }: Stage): Promise<void> {
  const member = `${userId}-member`;
  const reader = (role: MessageReader['role'], id = userId): MessageReader => ({
    orgId,
    userId: id,
    role,
    projectIds: null,
    sessionId: null,
  });
  const owner = reader('OWNER');
  const rare = () => word(any(5_000, VOCABULARY));
  const common = () => word(any(0, 10));
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const yearAgo = { createdAfter: daysAgo(395), createdBefore: daysAgo(365) };
  const kinds: [string, MessageReader, () => string, MessageFilter?][] = [
    ['a rare word', owner, rare],
    ['a common word', owner, common],
    ['a word in between', owner, () => word(any(20, 500))],
    ['two words, rare and common', owner, () => `${rare()} ${common()}`],
    ['two common words', owner, () => `${common()} ${common()}`],
    ['a phrase', owner, () => `"${common()} ${word(any(0, 50))}"`],
    ['a common word, a member of fewer Projects', reader('MEMBER', member), common],
    ['a common word in one Project', owner, common, { projectId: 'cproject1' }],
    ['a common word of a month, a year ago', owner, common, yearAgo],
    ['a common word in one session', owner, common, { sessionId: sessionId(7) }],
    ['a common word of nobody', owner, common, { authorUserId: 'nobody' }],
    ['eight words', owner, () => Array.from({ length: 8 }, () => word(any(0, 5_000))).join(' ')],
  ];
  for (const [name, who, query, filter = {}] of kinds) {
    const times: number[] = [];
    let found = 0;
    for (let run = 0; run < QUERIES + 5; run++) {
      const { terms, required } = parseQuery(query());
      const hashOf = (term: string) => hashTerm(term, saltOf(orgId, null));
      const search = {
        filter,
        hashes: terms.map(hashOf),
        required: required.map(hashOf),
        // As the service does: whether a phrase occurs is known only after its message was read.
        limit: required.length > 0 ? RANKED_PER_TERM : LIMIT,
      };
      const startedAt = performance.now();
      const ranked = await rankMessages(db, who, search);
      const ids = ranked.slice(0, LIMIT).map(({ id }) => id);
      await readFound(db, who, ids);
      times.push(performance.now() - startedAt);
      found += ranked.length;
    }
    const sorted = times.slice(5).toSorted((a, b) => a - b);
    const [p50 = 0, p95 = 0] = [0.5, 0.95].map((part) => sorted[Math.floor(QUERIES * part)]);
    process.stdout.write(
      `  ${name}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms in SQL (target: ${TARGETS.search}), ${(found / times.length).toFixed(1)} found\n`,
    );
  }
}

async function benchPosts(stage: Stage, before: Stage): Promise<void> {
  const plain = await startPlainPosts(before);
  const atrium = await startAtrium(stage);
  try {
    const next =
      ({ keys }: Stage) =>
      (): LoadRequest => {
        const session = any(0, SESSIONS);
        const words = Array.from({ length: WORDS }, () => word(anyRank()));
        return {
          method: 'POST',
          path: `/api/spaces/bench-${session % PROJECTS}/sessions/${sessionId(session)}/messages`,
          headers: {
            authorization: `Bearer ${keys[session % keys.length]}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({ body: words.join(' ') }),
        };
      };
    await load(plain.origin, SECONDS, next(before));
    await load(atrium.origin, SECONDS, next(stage));
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const without = await load(plain.origin, SECONDS, next(before));
      const now = await load(atrium.origin, SECONDS, next(stage));
      ratios.push(now.perSecond / without.perSecond);
    }
    process.stdout.write(
      `  posts per second, compared with before there was a search: ${median(ratios).toFixed(2)} (target: at least ${TARGETS.post}); rounds: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}\n`,
    );
  } finally {
    await atrium.stop();
    await plain.stop();
  }
}
