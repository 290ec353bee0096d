import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { createOrg } from '../server/src/features/identity/service.ts';
import { LEXICAL_WEIGHT, VECTOR_WEIGHT } from '../server/src/features/memory/search/ranking.ts';
import { reportCurve, reportFit, type Judged } from './calibration.ts';
import { median } from './load.ts';
import { makeKey, setAnyStage, startAtrium, type Stage } from './stage.ts';

const Conversations = z.object({
  conversations: z.array(
    z.object({
      conversation: z.string(),
      memories: z.array(z.object({ id: z.string(), content: z.string() })),
      questions: z.array(z.object({ query: z.string(), evidence: z.array(z.string()) })),
    }),
  ),
});
type Conversation = z.output<typeof Conversations>['conversations'][number];

const Match = z.object({
  id: z.string(),
  score: z.number(),
  scores: z.object({
    vector: z.number().nullable(),
    lexical: z.number(),
    rerank: z.number().nullable(),
  }),
});
type Match = z.output<typeof Match>;
const Created = z.object({ data: z.object({ id: z.string(), embeddingStatus: z.string() }) });
const Results = z.object({ data: z.object({ items: z.array(Match), degraded: z.boolean() }) });

/** The most results that one search returns, and so the size of a shelf. */
const SHELF = 100;
const AT_ONCE = 8;

/** Results of the trained layers on LoCoMo's development half, outside the product. */
const REFERENCE: Record<Ranking, string> = {
  'lexical only': '.666 / .546',
  'vector only': '.756 / .602',
  fused: '.779 / .637',
  'fused + re-rank': '.799 / .667',
};
type Ranking = keyof Marks;

/** Measures how well search finds the memories that answer a question. One org per conversation. */
export async function benchRecall(path?: string): Promise<void> {
  const conversations = await readConversations(path);
  if (!conversations) return;
  const stage = await setAnyStage();
  const orgs = await makeOrgs(stage, conversations);
  const atrium = await startAtrium(stage);
  try {
    const all: Marks[] = [];
    const judged: Judged[][] = [];
    const unanswered: number[] = [];
    const filledOrgs: FilledOrg[] = [];
    for (const { conversation, orgId, key, at } of orgs) {
      const call = caller(atrium.origin, key);
      const started = performance.now();
      const shelves = await fill(call, conversation);
      const filled = performance.now();
      const { marks, judged: some } = await ask(call, conversation, shelves);
      const { memories, questions } = conversation;
      process.stdout.write(
        `conversation ${conversation.conversation}: ${memories.length} memories in ${seconds(started, filled)} s, ${questions.length} questions in ${seconds(filled, performance.now())} s; recall@10 ${mean(marks, 'fused + re-rank', 'recall10')}, nDCG@10 ${mean(marks, 'fused + re-rank', 'ndcg10')}\n`,
      );
      all.push(...marks);
      judged.push(...some);
      const other = conversations[(at + 1) % conversations.length] ?? conversation;
      unanswered.push(...(await askInVain(call, other)));
      filledOrgs.push({ orgId, call, conversation, shelves });
    }
    report(all);
    reportFit(judged);
    reportCurve(judged, unanswered);
    await time(caller(atrium.origin, orgs[0]?.key ?? ''), conversations[0]?.questions ?? []);
    for (const share of ['half', 'all'] as const) await askOutdated(stage, filledOrgs, share);
  } finally {
    await atrium.stop();
    await stage.drop();
  }
}

async function readConversations(path: string | undefined): Promise<Conversation[] | undefined> {
  const root = fileURLToPath(new URL('../', import.meta.url));
  const file = path === undefined ? resolve(root, '../shared/data/locomo-dev.json') : resolve(path);
  try {
    return Conversations.parse(JSON.parse(await readFile(file, 'utf8'))).conversations;
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing) throw error;
    process.stderr.write(
      `recall: file not found: ${file}. Pass one with npm run bench -- recall <file>\n`,
    );
    process.exitCode = 1;
    return undefined;
  }
}

interface ReadersOrg {
  conversation: Conversation;
  at: number;
  orgId: string;
  key: string;
}

async function makeOrgs({ db }: Stage, conversations: Conversation[]): Promise<ReadersOrg[]> {
  const orgs: ReadersOrg[] = [];
  for (const [at, conversation] of conversations.entries()) {
    const name = `LoCoMo ${conversation.conversation}`;
    const ownerEmail = `reader-${conversation.conversation}@example.com`;
    const { orgId, owner } = await createOrg(db, { name, ownerEmail });
    orgs.push({ conversation, at, orgId, key: await makeKey(db, orgId, owner.id) });
  }
  return orgs;
}

type Post = <T>(path: string, body: object, answer: z.ZodType<T>) => Promise<T>;

function caller(origin: string, key: string): Post {
  return async (path, body, answer) => {
    const response = await fetch(`${origin}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return answer.parse(await response.json());
  };
}

interface Shelves {
  tags: string[];
  /** Maps a turn's name in the conversation to the memory's id. */
  idOf: Map<string, string>;
}

/** Tags each memory with a shelf, which holds as many as one search can return. */
async function fill(call: Post, { memories }: Conversation): Promise<Shelves> {
  const idOf = new Map<string, string>();
  const tagAt = (at: number) => `shelf-${Math.floor(at / SHELF)}`;
  await eachOf(memories, async ({ id, content }, at) => {
    const draft = { content, visibility: 'ORG', tags: [tagAt(at)] };
    const { data } = await call('/memory', draft, Created);
    if (data.embeddingStatus !== 'READY') throw new Error('a memory was not embedded at once');
    idOf.set(id, data.id);
  });
  return { tags: [...new Set(memories.map((_, at) => tagAt(at)))], idOf };
}

interface Marks {
  'lexical only': Mark;
  'vector only': Mark;
  fused: Mark;
  'fused + re-rank': Mark;
}

/**
 * The last ranking is what a search returns. The others order all memories by part of their score, read
 * shelf by shelf: a filter changes which memories are returned, not their scores. Ties keep the order
 * of the conversation.
 */
async function ask(
  call: Post,
  conversation: Conversation,
  shelves: Shelves,
): Promise<{ marks: Marks[]; judged: Judged[][] }> {
  const marks: Marks[] = [];
  const judged: Judged[][] = [];
  await eachOf(conversation.questions, async ({ query, evidence }, at) => {
    const search = async (more: object) => {
      const { data } = await call('/memory/search', { query, ...more }, Results);
      if (data.degraded) throw new Error('a search was degraded');
      return data.items;
    };
    const answer = await search({ limit: 10 });
    const read = await Promise.all(
      shelves.tags.map((tag) => search({ limit: SHELF, tags: [tag] })),
    );
    const scored = new Map(read.flat().map((match) => [match.id, match]));
    const all = conversation.memories.flatMap(
      ({ id }) => scored.get(shelves.idOf.get(id) ?? '') ?? [],
    );
    if (all.length !== shelves.idOf.size)
      throw new Error('a search did not return all memories of a shelf');
    const relevant = new Set(evidence.map((turn) => shelves.idOf.get(turn)));
    const orderedBy = (part: (match: Match) => number) =>
      markOf(
        all.toSorted((a, b) => part(b) - part(a)),
        relevant,
      );
    judged[at] = all.map(({ id, scores }) => ({ scores, isAnswer: relevant.has(id) }));
    marks[at] = {
      'lexical only': orderedBy(({ scores }) => scores.lexical),
      'vector only': orderedBy(({ scores }) => scores.vector ?? 0),
      fused: orderedBy(
        ({ scores }) => VECTOR_WEIGHT * (scores.vector ?? 0) + LEXICAL_WEIGHT * scores.lexical,
      ),
      'fused + re-rank': markOf(answer, relevant),
    };
  });
  return { marks, judged };
}

interface FilledOrg {
  orgId: string;
  call: Post;
  conversation: Conversation;
  shelves: Shelves;
}

/** As after an upgrade that brings another model, which has not read so much of them again yet. */
async function askOutdated(
  { db }: Stage,
  orgs: readonly FilledOrg[],
  share: 'half' | 'all',
): Promise<void> {
  const marks: Mark[] = [];
  for (const { orgId, call, conversation, shelves } of orgs) {
    await db.query(
      `UPDATE memories SET embedding_model = 'another', token_model = 'another'
       WHERE org_id = $1 AND position % $2 = 0`,
      [orgId, share === 'half' ? 2 : 1],
    );
    await eachOf(conversation.questions, async ({ query, evidence }) => {
      const { data } = await call('/memory/search', { query, limit: 10 }, Results);
      marks.push(markOf(data.items, new Set(evidence.map((turn) => shelves.idOf.get(turn)))));
    });
  }
  process.stdout.write(
    `${share} not read by the model: recall@10 ${meanOf(marks, 'recall10')}, nDCG@10 ${meanOf(marks, 'ndcg10')}\n`,
  );
}

/** Questions about another conversation. Returns the best score of each. */
async function askInVain(call: Post, { questions }: Conversation): Promise<number[]> {
  const best: number[] = [];
  await eachOf(questions, async ({ query }, at) => {
    const { data } = await call('/memory/search', { query, limit: 1 }, Results);
    best[at] = data.items[0]?.score ?? 0;
  });
  return best;
}

/** How long a search takes, one at a time. */
async function time(call: Post, questions: Conversation['questions']): Promise<void> {
  const times: number[] = [];
  for (const { query } of questions) {
    const started = performance.now();
    await call('/memory/search', { query }, Results);
    times.push(performance.now() - started);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
  process.stdout.write(
    `\n${times.length} searches, one at a time: p50 ${median(times).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms\n`,
  );
}

async function eachOf<T>(items: T[], work: (item: T, at: number) => Promise<void>): Promise<void> {
  const waiting = items.entries();
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (const [at, item] of waiting) await work(item, at);
  });
  await Promise.all(workers);
}

interface Mark {
  recall5: number;
  recall10: number;
  ndcg10: number;
  mrr10: number;
}

function markOf(ranked: Match[], relevant: Set<string | undefined>): Mark {
  const places = ranked.slice(0, 10).flatMap(({ id }, at) => (relevant.has(id) ? [at] : []));
  const gain = (all: number[]) => all.reduce((sum, at) => sum + 1 / Math.log2(at + 2), 0);
  const best = gain([...Array(Math.min(10, relevant.size)).keys()]);
  return {
    recall5: places.filter((at) => at < 5).length / relevant.size,
    recall10: places.length / relevant.size,
    ndcg10: gain(places) / best,
    mrr10: places[0] === undefined ? 0 : 1 / (places[0] + 1),
  };
}

function report(marks: Marks[]): void {
  process.stdout.write(
    `\n${marks.length} questions      recall@5  recall@10  nDCG@10  MRR@10  reference (recall@10 / nDCG@10)\n`,
  );
  for (const [name, reference] of Object.entries(REFERENCE)) {
    const ranking = name as Ranking;
    const figures = [
      mean(marks, ranking, 'recall5').padStart(8),
      mean(marks, ranking, 'recall10').padStart(9),
      mean(marks, ranking, 'ndcg10').padStart(7),
      mean(marks, ranking, 'mrr10').padStart(6),
    ].join('  ');
    process.stdout.write(`  ${name.padEnd(17)} ${figures}  ${reference}\n`);
  }
}

function mean(marks: Marks[], ranking: Ranking, part: keyof Mark): string {
  return meanOf(
    marks.map((mark) => mark[ranking]),
    part,
  );
}

function meanOf(marks: readonly Mark[], part: keyof Mark): string {
  return (marks.reduce((sum, mark) => sum + mark[part], 0) / marks.length).toFixed(4);
}

function seconds(from: number, to: number): string {
  return ((to - from) / 1000).toFixed(1);
}
