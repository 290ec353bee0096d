import { newId } from '../server/src/core/ids.ts';
import type { TextEncoder } from '../server/src/adapters/embeddings/text-encoder.ts';
import type { Database } from '../server/src/db/types.ts';
import { createMember, createOrg } from '../server/src/features/identity/service.ts';
import { vectorText } from '../server/src/features/memory/search-form.ts';
import { atOnce } from '../server/src/text/words/in-turns.ts';
import { indexText, saltOf } from '../server/src/text/words/lexical.ts';
import { APART, questions, sentences } from './sentences.ts';

const TEXTS = 2000;
const QUERIES = 60;
/** For each kind of hidden memory. */
const HOSTILE_QUERIES = 10;
const PROJECTS = 40;
const FEW_PROJECTS = 3;
const MEMBERS = 20;
const SMALL_ORG = 250;
const BATCH = 2000;
/** Hidden memories that are closer to the hostile queries than anything the reader can see. */
const NEARER = 5000;

export interface Query {
  text: string;
  vector: Float32Array;
}

/** The organisations, people and queries in the database. */
export interface Population {
  /** Has 60 % of all memories. */
  hugeOrg: string;
  /** Has 10 % of all memories. */
  mediumOrg: string;
  smallOrg: string;
  ownerId: string;
  /** Belongs to every Project of the huge org except the last. `memberId` belongs to three. */
  busyMemberId: string;
  memberId: string;
  projects: string[];
  queries: Query[];
  /** Queries with thousands of closer memories that the reader can't see, and where those are. */
  hostile: { where: string; queries: Query[]; nearer: number }[];
}

interface Draft {
  orgId: string;
  ownerId: string;
  visibility: 'ORG' | 'PROJECT' | 'PRIVATE';
  projectId: string | null;
  /** The texts its vector is mixed from. The first has the most weight. */
  texts: [number, number, number];
}

/**
 * Fills the tables with SQL and builds the indexes afterwards. Each vector is mixed from the model's
 * vectors of three sentences, so that neighbourhoods resemble those of real text.
 */
export async function populate(
  db: Database,
  encoder: TextEncoder,
  { orgId: hugeOrg, userId: ownerId }: { orgId: string; userId: string },
  size: number,
): Promise<Population> {
  const hostile = APART.map((subject) => questions(HOSTILE_QUERIES, subject));
  const queries = await encodeTexts(encoder, [...questions(QUERIES), ...hostile.flat()]);
  await storeTexts(db, encoder, [...sentences(TEXTS)], queries);
  const memberIds: string[] = [];
  for (let at = 0; at < MEMBERS; at++) {
    const input = { email: `member-${at}@example.com`, role: 'MEMBER' } as const;
    memberIds.push((await createMember(db, hugeOrg, input))?.id ?? '');
  }
  const [memberId = '', busyMemberId = '', teammateId = ''] = memberIds;
  const projects = await makeProjects(db, hugeOrg, ownerId);
  await joinProjects(db, hugeOrg, memberId, projects.slice(0, FEW_PROJECTS));
  await joinProjects(db, hugeOrg, busyMemberId, projects.slice(0, -1));
  const makeOrg = async (name: string) =>
    (await createOrg(db, { name, ownerEmail: 'bench@example.com' })).orgId;
  const mediumOrg = await makeOrg('Medium');
  const otherOrg = await makeOrg('Other');
  const smallOrgs: string[] = [];
  for (let at = 0; at < Math.max(1, (size * 0.3) / SMALL_ORG); at++) {
    smallOrgs.push(await makeOrg(`Small ${at}`));
  }
  const indexes = await dropIndexes(db);
  await insertAll(db, encoder, size, (at) => {
    const place = placeOf(at / size, { hugeOrg, mediumOrg, smallOrgs, projects, memberIds });
    return { ownerId, ...place, texts: [random(TEXTS), random(TEXTS), random(TEXTS)] };
  });
  const hidden: { where: string; place: Omit<Draft, 'texts'> }[] = [
    {
      where: "a teammate's PRIVATE memory",
      place: {
        orgId: hugeOrg,
        ownerId: teammateId,
        visibility: 'PRIVATE',
        projectId: null,
      },
    },
    {
      where: "another team's Project",
      place: {
        orgId: hugeOrg,
        ownerId,
        visibility: 'PROJECT',
        projectId: projects[PROJECTS - 1] ?? '',
      },
    },
    {
      where: 'another organisation',
      place: { orgId: otherOrg, ownerId, visibility: 'ORG', projectId: null },
    },
  ];
  const nearer = Math.min(NEARER, size / 10);
  for (const [kind, { place }] of hidden.entries()) {
    const first = QUERIES + kind * HOSTILE_QUERIES + 1;
    await insertAll(db, encoder, nearer, () => ({
      ...place,
      texts: [-(first + random(HOSTILE_QUERIES)), random(TEXTS), random(TEXTS)],
    }));
  }
  // A script has no query timeout, and these are slow at a million rows.
  await db.transaction((tx) => tx.script([...COUNT, ...indexes].join(';\n')));
  // As autovacuum does, sooner or later: indexes then return what they have without reading the table.
  await db.runAlone?.('VACUUM ANALYZE');
  return {
    hugeOrg,
    mediumOrg,
    smallOrg: smallOrgs[0] ?? '',
    ownerId,
    busyMemberId,
    memberId,
    projects,
    queries: queries.slice(0, QUERIES),
    hostile: hidden.map(({ where }, kind) => {
      const first = QUERIES + kind * HOSTILE_QUERIES;
      return { where, nearer, queries: queries.slice(first, first + HOSTILE_QUERIES) };
    }),
  };
}

async function encodeTexts(encoder: TextEncoder, texts: string[]): Promise<Query[]> {
  const encoded = await encoder.encode(texts, { orgId: 'bench' });
  return texts.map((text, at) => ({ text, vector: encoded[at]?.vector ?? new Float32Array() }));
}

/** Stores texts with their vectors in three strengths. Queries have negative ids. */
async function storeTexts(
  db: Database,
  encoder: TextEncoder,
  texts: string[],
  queries: Query[],
): Promise<void> {
  await db.query(
    `CREATE TABLE bench_texts (id int PRIMARY KEY, content text, strong halfvec(384),
       weak halfvec(384), faint halfvec(384), tokens bytea)`,
  );
  // Queries count twice, so that the memories mixed from them are the closest to them.
  const store = async (id: number, content: string, vector: Float32Array, tokens: unknown) => {
    const strengths = [id < 0 ? 2 : 1, 0.5, 0.35].map((strength) =>
      vectorText(
        vector.map((value) => value * strength),
        384,
      ),
    );
    await db.query('INSERT INTO bench_texts VALUES ($1, $2, $3, $4, $5, $6)', [
      id,
      content,
      ...strengths,
      tokens,
    ]);
  };
  for (let from = 0; from < texts.length; from += 100) {
    const some = texts.slice(from, from + 100);
    const encoded = await encoder.encode(some, { orgId: 'bench' });
    for (const [at, { vector, tokens }] of encoded.entries()) {
      if (vector) await store(from + at, some[at] ?? '', vector, tokens);
    }
  }
  const encoded = await encoder.encode(
    queries.map(({ text }) => text),
    { orgId: 'bench' },
  );
  for (const [at, { text, vector }] of queries.entries()) {
    await store(-(at + 1), text, vector, encoded[at]?.tokens);
  }
}

async function makeProjects(db: Database, orgId: string, ownerId: string): Promise<string[]> {
  const projects = Array.from({ length: PROJECTS }, () => newId());
  await db.query(
    `INSERT INTO projects (org_id, id, slug, name, tags, access, created_by_id)
     SELECT $1, id, id, id, '{}', 'MEMBERS', $3 FROM unnest($2::text[]) id`,
    [orgId, projects, ownerId],
  );
  return projects;
}

async function joinProjects(
  db: Database,
  orgId: string,
  userId: string,
  projects: string[],
): Promise<void> {
  await db.query(
    `INSERT INTO project_members (org_id, project_id, user_id)
     SELECT $1, id, $3 FROM unnest($2::text[]) id`,
    [orgId, projects, userId],
  );
}

interface Places {
  hugeOrg: string;
  mediumOrg: string;
  smallOrgs: string[];
  projects: string[];
  memberIds: string[];
}

/** 60 % are in the huge org: 35 % of them ORG, 10 % PRIVATE, the rest in Projects of all sizes. */
function placeOf(share: number, places: Places): Pick<Draft, 'orgId' | 'visibility' | 'projectId'> {
  const org = { visibility: 'ORG', projectId: null } as const;
  const { hugeOrg, mediumOrg, smallOrgs, projects, memberIds } = places;
  if (share >= 0.7) return { orgId: smallOrgs[random(smallOrgs.length)] ?? '', ...org };
  if (share >= 0.6) return { orgId: mediumOrg, ...org };
  const kind = Math.random();
  if (kind < 0.35) return { orgId: hugeOrg, ...org };
  if (kind < 0.45) {
    const owner = { ownerId: memberIds[random(memberIds.length)] ?? '' };
    return { orgId: hugeOrg, visibility: 'PRIVATE', projectId: null, ...owner };
  }
  // The first Project has the fewest memories, the second to last the most.
  const projectId = projects[Math.floor(Math.sqrt(Math.random()) * (projects.length - 1))] ?? '';
  return { orgId: hugeOrg, visibility: 'PROJECT', projectId };
}

async function insertAll(
  db: Database,
  encoder: TextEncoder,
  count: number,
  draft: (at: number) => Draft,
): Promise<void> {
  const known = await db.query<{ id: number; content: string }>(
    'SELECT id, content FROM bench_texts',
  );
  const contentOf = new Map(known.map(({ id, content }) => [id, content]));
  for (let from = 0; from < count; from += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => {
      const one = draft(from + at);
      const content = `${contentOf.get(one.texts[0])} ${rareWords()}`;
      const owner = one.visibility === 'PRIVATE' ? one.ownerId : null;
      const { terms, weights } = atOnce(indexText(content, [saltOf(one.orgId, owner)]));
      return { ...one, content, terms: terms[0] ?? [], weights };
    });
    await db.query(INSERT, [
      rows.map(() => newId()),
      rows.map(({ orgId }) => orgId),
      rows.map(({ ownerId }) => ownerId),
      rows.map(({ visibility }) => visibility),
      rows.map(({ projectId }) => projectId),
      rows.map(({ content }) => content),
      rows.map(({ terms }) => `{${terms.join()}}`),
      rows.map(({ weights }) => weights),
      ...[0, 1, 2].map((part) => rows.map(({ texts }) => texts[part])),
      encoder.model,
      encoder.tokenModel,
      `[${Array(1152).fill(0).join()}]`,
    ]);
  }
}

const INSERT = `INSERT INTO memories (id, org_id, owner_user_id, visibility, project_id, content, tags, terms,
    term_weights, embedding, embedding_model, token_vectors, token_model, created_at, updated_at)
  SELECT row.id, row.org_id, row.owner, row.visibility, row.project_id, row.content, '{}', row.terms::bigint[],
    row.weights::sparsevec, l2_normalize(a.strong + b.weak + c.faint) || $14::halfvec, $12, a.tokens, $13,
    now(), now()
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::int[], $10::int[], $11::int[])
    AS row (id, org_id, owner, visibility, project_id, content, terms, weights, a, b, c)
  JOIN bench_texts a ON a.id = row.a JOIN bench_texts b ON b.id = row.b JOIN bench_texts c ON c.id = row.c`;

/** Stand-ins for names and numbers: words that few other memories contain. */
function rareWords(): string {
  const words = Array.from({ length: 4 }, () => Math.floor(100_000 ** Math.random()).toString(36));
  return words.map((word) => `x${word}x`).join(' ');
}

/** Returns the statements that create them again. */
async function dropIndexes(db: Database): Promise<string[]> {
  const names = ['memories_by_vector', 'memories_by_term'];
  const found = await db.query<{ indexdef: string }>(
    'SELECT indexdef FROM pg_indexes WHERE indexname = ANY ($1)',
    [names],
  );
  for (const name of names) await db.query(`DROP INDEX ${name}`);
  return found.map(({ indexdef }) => indexdef);
}

const COUNT = [
  `SET LOCAL maintenance_work_mem = '1500MB'`,
  `INSERT INTO memory_scopes SELECT org_id, scope, count(*) FROM memories GROUP BY org_id, scope`,
  `INSERT INTO memory_terms SELECT org_id, scope, term, count(*)
   FROM memories, unnest(terms) term GROUP BY org_id, scope, term`,
];

function random(below: number): number {
  return Math.floor(Math.random() * below);
}
