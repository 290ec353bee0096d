import { beforeAll, describe, expect, it } from 'vitest';
import { useTestDatabase } from '../../../../test/harness/databases/use-test-database.ts';
import { addPerson, createTestOrg, type TestOrg } from '../../../../test/harness/factories.ts';
import { createRandom } from '../../../../test/harness/models/memory-world.ts';
import { hashTerm, queryVector, saltOf } from '../../../text/words/lexical.ts';
import { readQuery } from '../../../text/words/terms.ts';
import type { DocumentReader } from '../reader.ts';
import { findCandidates } from './candidates.ts';
import { findByVector, findReadable, scanVectors } from './store.ts';

const DOCUMENTS = 30;
const PASSAGES = 4;
const SEARCHES = 40;
const WORDS = ['anchor', 'barrel', 'compass', 'dinghy', 'engine', 'funnel'];
const PROJECTS = ['open', 'closed'] as const;

interface Row {
  id: number;
  org: number;
  document: string;
  readers: readonly string[];
}

const database = useTestDatabase();
const { below, isLucky, pick } = createRandom(20_261_119);
const someVector = () => Array.from({ length: 384 }, (_, at) => (at < 4 ? below(2001) - 1000 : 0));
const rows: Row[] = [];
let orgs: TestOrg[];
let readers: DocumentReader[];

/** Each document is shared with its Project, or its uploader's alone. */
beforeAll(async () => {
  const { db } = database;
  orgs = [await createTestOrg(db), await createTestOrg(db)];
  readers = [];
  for (const [at, { orgId, owner, member }] of orgs.entries()) {
    const outsider = await addPerson(db, orgId, 'MEMBER');
    for (const name of PROJECTS) {
      await db.query(
        `INSERT INTO projects (org_id, id, slug, name, tags, access, created_by_id)
         VALUES ($1, $2, $2, $2, '{}', $3, $4)`,
        [orgId, `${name}${at}`, name === 'open' ? 'ORG' : 'MEMBERS', member.userId],
      );
    }
    readers.push(
      { orgId, userId: owner.userId, role: 'OWNER' },
      { orgId, userId: member.userId, role: 'MEMBER' },
      { orgId, userId: outsider.userId, role: 'MEMBER' },
    );
    const people = [owner.userId, member.userId, outsider.userId];
    for (let nth = 0; nth < DOCUMENTS; nth++) await insertDocument(at, `${at}-${nth}`, people);
  }
});

async function insertDocument(org: number, name: string, people: string[]): Promise<void> {
  const { db } = database;
  const { orgId } = orgs[org] as TestOrg;
  const project = pick(PROJECTS);
  const isShared = isLucky(0.6);
  const [owner = '', member = '', outsider = ''] = people;
  const uploader = pick([owner, member]);
  const members = project === 'open' ? [owner, member, outsider] : [owner, member];
  await db.query(
    `INSERT INTO files (org_id, id, project_id, name, media_type, size, sha256, status, text_status,
       is_shared, uploaded_by_id, storage_key)
     VALUES ($1, $2, $3, $2, 'text/plain', 1, 'x', 'READY', 'READY', $4, $5, $2)`,
    [orgId, name, `${project}${org}`, isShared, uploader],
  );
  await db.query(
    `INSERT INTO documents (org_id, id, project_id, file_id, language, passages, characters, updated_at)
     VALUES ($1, $2, $3, $2, 'en', $4, 1, now())`,
    [orgId, name, `${project}${org}`, PASSAGES],
  );
  for (let position = 0; position < PASSAGES; position++) {
    const words = WORDS.filter(() => isLucky(0.3));
    const terms = words.map((word) => hashTerm(word, saltOf(orgId, null)));
    const vector = `[${[...someVector(), ...Array.from({ length: 1_152 }, () => 0)].join()}]`;
    const [stored] = await db.query<{ id: number }>(
      `INSERT INTO passages (org_id, document_id, position, page, start_at, end_at, text, terms,
         term_weights, embedding, embedding_model)
       VALUES ($1, $2, $3, 1, 0, 1, $4, $5, $6, $7, 'model') RETURNING id`,
      [
        orgId,
        name,
        position,
        words.join(' '),
        terms.toSorted((a, b) => a - b),
        queryVector(new Map(words.map((word) => [word, 1])), 1),
        isLucky(0.8) ? vector : vector.replaceAll(/-?\d+/g, '1'),
      ],
    );
    const seenBy = isShared ? members : [uploader];
    rows.push({ id: stored?.id ?? 0, org, document: name, readers: seenBy });
  }
}

const readable = (reader: DocumentReader) =>
  rows.filter(
    (row) =>
      orgs[row.org]?.orgId === reader.orgId &&
      row.readers.includes('userId' in reader ? reader.userId : ''),
  );

const search = (words: string[], few: number, filter = {}) => ({
  query: readQuery(words.join(' ')),
  filter,
  model: 'model',
  tokenModel: 'tokens',
  limit: 500,
  perDocument: 100,
  few,
});

describe('a search of passages', () => {
  it('knows how large the vector index is, also that of a shard', async () => {
    for (const reader of readers) {
      const { indexed } = await findReadable(database.db, reader, {});
      expect(indexed).toBeGreaterThan(0.8 * DOCUMENTS * PASSAGES);
      expect(indexed).toBeLessThan(10 * DOCUMENTS * PASSAGES);
    }
  });

  it('finds what a naive model says can be read, and nothing else, with and without the indexes', async () => {
    for (let nth = 0; nth < SEARCHES; nth++) {
      const reader = pick(readers);
      const words = WORDS.filter(() => isLucky(0.4));
      const vector = Promise.resolve({ head: `[${someVector().join()}]`, whole: undefined });
      const all = await findCandidates(database.db, reader, search(words, Infinity), vector);
      const expected = readable(reader);
      expect(all.among).toBe(expected.length);
      expect(new Set(all.matches.map(({ id }) => id))).toEqual(
        new Set(expected.map(({ id }) => id)),
      );
      const indexed = await findCandidates(database.db, reader, search(words, 0), vector);
      const most = Math.min(indexed.matches.length, 20);
      expect(indexed.matches.slice(0, most).map(({ id }) => id)).toEqual(
        all.matches.slice(0, most).map(({ id }) => id),
      );
      for (const { term, memories } of all.terms) {
        const hash = hashTerm(term, saltOf(reader.orgId, null));
        const [{ having } = { having: -1 }] = await database.db.query<{ having: number }>(
          'SELECT count(*) AS having FROM passages WHERE id = ANY ($1) AND terms @> ARRAY[$2::bigint]',
          [expected.map(({ id }) => id), hash],
        );
        expect(memories).toBe(having);
      }
    }
  });

  it('filters by file, and the graph returns only what may be read', async () => {
    for (const reader of readers) {
      const seen = new Set(readable(reader).map(({ id }) => id));
      const near = { head: `[${someVector().join()}]`, whole: undefined };
      const about = { model: 'model' };
      const { db } = database;
      const { orgId } = reader;
      const mayRead = await findReadable(db, reader, {});
      const among = { orgId, documentIds: mayRead.all.ids };
      const walk = { width: 1_000, rows: 500 };
      const walked = await findByVector(db, among, about, near, walk, 500);
      expect(walked.filter((id) => !seen.has(id))).toEqual([]);
      const scanned = await scanVectors(db, among, about, near, 500);
      expect(new Set(scanned)).toEqual(seen);
      const filter = { fileIds: ['0-1', '1-1'] };
      const { all, filtered } = await findReadable(db, reader, filter);
      expect(new Set(all.ids)).toEqual(new Set(mayRead.all.ids));
      const found = await scanVectors(db, { orgId, documentIds: filtered.ids }, about, near, 500);
      const inFiles = readable(reader).filter(({ document }) => filter.fileIds.includes(document));
      expect(new Set(found)).toEqual(new Set(inFiles.map(({ id }) => id)));
    }
  });
});
