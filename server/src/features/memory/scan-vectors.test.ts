import { beforeAll, describe, expect, it } from 'vitest';
import { useTestDatabase } from '../../../test/harness/databases/use-test-database.ts';
import { createTestOrg, type TestOrg } from '../../../test/harness/factories.ts';
import { createRandom } from '../../../test/harness/models/memory-world.ts';
import { vectorText } from './search-form.ts';
import { scanVectors } from './search/store.ts';
import type { MemoryFilter, Visibility } from './store.ts';
import type { Reader } from './visibility.ts';

const ROWS = 400;
const SEARCHES = 150;
const LIMIT = 12;
const PROJECTS = ['open', 'closed', 'joined'] as const;
const MODELS = ['small', 'large', null];

interface Row {
  position: number;
  org: number;
  owner: string;
  visibility: Visibility;
  project: string | null;
  tags: string[];
  model: string | null;
  vector: number[];
}

const database = useTestDatabase();
let orgs: TestOrg[];
const rows: Row[] = [];
const { below, isLucky, pick } = createRandom(20_261_116);
const someVector = () => Array.from({ length: 4 }, () => (below(2001) - 1000) / 1000);

beforeAll(async () => {
  const { db } = database;
  orgs = [await createTestOrg(db), await createTestOrg(db)];
  for (const [at, { orgId, owner, member }] of orgs.entries()) {
    for (const name of PROJECTS) {
      await db.query(
        `INSERT INTO projects (org_id, id, slug, name, tags, access, created_by_id)
         VALUES ($1, $2, $2, $2, '{}', $3, $4)`,
        [orgId, `${name}${at}`, name === 'open' ? 'ORG' : 'MEMBERS', owner.userId],
      );
    }
    await db.query(
      'INSERT INTO project_members (org_id, project_id, user_id) VALUES ($1, $2, $3)',
      [orgId, `joined${at}`, member.userId],
    );
  }
  for (let at = 0; at < ROWS; at++) rows.push(await insertRow(at));
});

async function insertRow(at: number): Promise<Row> {
  const org = at % 2;
  const { orgId, owner, member } = orgs[org] as TestOrg;
  const visibility = pick<Visibility>(['ORG', 'PROJECT', 'PRIVATE']);
  const project = visibility === 'PROJECT' || isLucky(0.5) ? `${pick(PROJECTS)}${org}` : null;
  const row = {
    org,
    owner: pick([owner, member]).userId,
    visibility,
    project,
    tags: isLucky(0.5) ? ['red'] : [],
    model: pick(MODELS),
    vector: someVector(),
  };
  const embedding = row.model && vectorText(Float32Array.from(row.vector));
  const [stored] = await database.db.query<{ position: number }>(
    `INSERT INTO memories (org_id, id, owner_user_id, visibility, project_id, content, tags, terms,
       term_weights, embedding, embedding_model, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, '', $6, '{}', '{}/1000000000', $7, $8, now(), now()) RETURNING position`,
    [orgId, `m${at}`, row.owner, visibility, project, row.tags, embedding, row.model],
  );
  return { position: stored?.position ?? 0, ...row };
}

/** The rules in a few lines, without SQL. */
function canSee({ userId, role, projectIds }: Reader, row: Row): boolean {
  if (row.visibility === 'ORG') return true;
  if (row.visibility === 'PRIVATE') return row.owner === userId;
  const isListed = projectIds === null || projectIds.includes(row.project ?? '');
  return isListed && (role === 'OWNER' || !row.project?.startsWith('closed'));
}

function matches({ visibility, projectId, tags }: MemoryFilter, row: Row): boolean {
  return (
    (visibility === undefined || row.visibility === visibility) &&
    (projectId === undefined || row.project === projectId) &&
    (tags ?? []).every((tag) => row.tags.includes(tag))
  );
}

function distance(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]) =>
    x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);
  return 1 - dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

describe('comparing every vector of the visible scopes', () => {
  it('finds the nearest that a naive model says can be seen, for any reader and filter', async () => {
    let found = 0;
    for (let at = 0; at < SEARCHES; at++) {
      const org = pick([0, 1]);
      const { orgId, owner, member } = orgs[org] as TestOrg;
      const reader: Reader = pick([
        { orgId, userId: owner.userId, role: 'OWNER', projectIds: null },
        { orgId, userId: member.userId, role: 'MEMBER', projectIds: null },
        { orgId, userId: member.userId, role: 'MEMBER', projectIds: [`open${org}`] },
        { orgId, userId: null, role: 'OWNER', projectIds: null },
      ]);
      const filter: MemoryFilter = {
        visibility: pick([undefined, undefined, 'ORG', 'PROJECT', 'PRIVATE']),
        projectId: pick([undefined, undefined, ...PROJECTS.map((name) => `${name}${org}`)]),
        tags: pick([undefined, undefined, ['red']]),
      };
      const model = pick(['small', 'large']);
      const query = someVector();
      const head = vectorText(Float32Array.from(query), 384);
      const wanted = { head, whole: undefined };
      const positions = await scanVectors(database.db, reader, { filter, model }, wanted, LIMIT);
      const all = rows.filter((row) => row.org === org && row.model === model);
      const visible = all.filter((row) => canSee(reader, row) && matches(filter, row));
      const expected = visible
        .toSorted((a, b) => distance(query, a.vector) - distance(query, b.vector))
        .slice(0, LIMIT);
      const seen = positions.map((one) => visible.find(({ position }) => position === one));
      expect(new Set(positions).size).toBe(expected.length);
      for (const [rank, row] of seen.entries()) {
        const wantedRow = expected[rank];
        // Half-precision numbers can swap two that are almost equally near.
        expect(row && wantedRow && distance(query, row.vector)).toBeCloseTo(
          distance(query, wantedRow?.vector ?? []),
          2,
        );
      }
      found += positions.length;
    }
    expect(found).toBeGreaterThan(SEARCHES);
  });
});
