import { pino } from 'pino';
import { createTextEncoder } from '../server/src/adapters/embeddings/create-text-encoder.ts';
import type { TextEncoder } from '../server/src/adapters/embeddings/text-encoder.ts';
import { newId } from '../server/src/core/ids.ts';
import type { Database } from '../server/src/db/types.ts';
import type { DocumentReader } from '../server/src/features/documents/reader.ts';
import { findCandidates } from '../server/src/features/documents/search/candidates.ts';
import { vectorText } from '../server/src/features/memory/search-form.ts';
import { atOnce } from '../server/src/text/words/in-turns.ts';
import { indexText, saltOf } from '../server/src/text/words/lexical.ts';
import { readQuery } from '../server/src/text/words/terms.ts';
import { median } from './load.ts';
import { timeParts, type Part } from './search-parts.ts';
import { questions, sentences } from './sentences.ts';
import { setAnyStage, type Stage } from './stage.ts';

const PASSAGES = 21_000;
const OF_A_DOCUMENT = 30;
/** Sentences of a passage, which have about 150 words. */
const SENTENCES = 10;
/** Encoded by the model. The others are mixed from these. */
const TEXTS = 300;
const BATCH = 500;
const QUERIES = 40;
const ROUNDS = 3;

const PARTS: readonly Part[] = [
  ['rights', /AS settled/],
  ['counts of terms', /WITH ORDINALITY/],
  ['words', /ps\.term_weights FROM \(SELECT id/],
  ['vectors, graph', /ORDER BY ps\.distance/],
  ['vectors, scan', /\) \+ 0 LIMIT/],
  ['reading and scoring', /"tokenVectors"/],
];

/** How long the SQL of a search of documents takes, on PostgreSQL or the embedded database. */
export async function benchDocumentSearch(passages = String(PASSAGES)): Promise<void> {
  const encoder = createTextEncoder({ kind: 'local' }, pino({ level: 'warn' }));
  const stage = await setAnyStage();
  try {
    const started = performance.now();
    await fill(stage, encoder, Number(passages));
    const filled = ((performance.now() - started) / 1000).toFixed(0);
    process.stdout.write(
      `document search on ${stage.db.engine}: ${passages} passages, filled in ${filled} s\n`,
    );
    await measure(stage, encoder);
  } finally {
    await encoder.close();
    if (stage.databaseUrl === '') await stage.db.close();
    await stage.drop();
  }
}

async function measure({ db, orgId, userId }: Stage, encoder: TextEncoder): Promise<void> {
  const reader: DocumentReader = { orgId, userId, role: 'OWNER' };
  const texts = questions(QUERIES);
  const encoded = await encoder.encode(texts, { orgId });
  const parts = timeParts(db, PARTS);
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [at, text] of texts.entries()) {
      const head = vectorText(encoded[at]?.vector ?? new Float32Array(), 384);
      const { model, tokenModel } = encoder;
      const query = readQuery(text);
      const search = { query, filter: {}, model, tokenModel, limit: 50, perDocument: 12 };
      const before = performance.now();
      await findCandidates(parts.db, reader, search, Promise.resolve({ head, whole: undefined }));
      // The first round warms the caches.
      if (round > 0) times.push(performance.now() - before);
    }
  }
  const sorted = times.toSorted((a, b) => a - b);
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
  process.stdout.write(
    `  SQL of a search: p50 ${median(times).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms; statements, partly at the same time: ${parts.report()}\n`,
  );
}

/** With SQL: the vectors of passages are mixed from those of some. Half of the files are shared, half the uploader's. */
async function fill(stage: Stage, encoder: TextEncoder, passages: number): Promise<void> {
  const { db, orgId, userId } = stage;
  await storeTexts(db, orgId, encoder);
  const projectId = newId();
  await db.query(
    `INSERT INTO projects (org_id, id, slug, name, tags, access, created_by_id)
     VALUES ($1, $2, $2, 'Library', '{}', 'ORG', $3)`,
    [orgId, projectId, userId],
  );
  const documents = Array.from({ length: Math.ceil(passages / OF_A_DOCUMENT) }, () => newId());
  await db.query(
    `INSERT INTO files (org_id, id, project_id, name, media_type, size, sha256, status, text_status,
       is_shared, uploaded_by_id, storage_key)
     SELECT $1, id, $2, id, 'text/plain', 1, 'x', 'READY', 'READY', at % 2 = 0, $3, id
     FROM unnest($4::text[]) WITH ORDINALITY row (id, at)`,
    [orgId, projectId, userId, documents],
  );
  await db.query(
    `INSERT INTO documents (org_id, id, project_id, file_id, language, passages, characters, updated_at)
     SELECT $1, id, $2, id, 'en', $3, 30000, now() FROM unnest($4::text[]) id`,
    [orgId, projectId, OF_A_DOCUMENT, documents],
  );
  for (let from = 0; from < passages; from += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, passages - from) }, (_, at) => from + at);
    await db.query(INSERT, [
      orgId,
      rows.map((at) => documents[Math.floor(at / OF_A_DOCUMENT)]),
      rows.map((at) => at % OF_A_DOCUMENT),
      ...[0, 1, 2].map(() => rows.map(() => Math.floor(Math.random() * TEXTS))),
      encoder.model,
      encoder.tokenModel,
      `[${Array(1152).fill(0).join()}]`,
    ]);
  }
  // As autovacuum does, sooner or later.
  await db.runAlone?.('VACUUM ANALYZE');
}

const INSERT = `INSERT INTO passages (org_id, document_id, position, page, start_at, end_at, text, terms,
    term_weights, embedding, embedding_model, token_vectors, token_model)
  SELECT $1, row.document, row.position, row.position + 1, 0, length(a.content), a.content, a.terms, a.weights,
    l2_normalize(a.strong + b.weak + c.faint) || $9::halfvec, $7, a.tokens, $8
  FROM unnest($2::text[], $3::int[], $4::int[], $5::int[], $6::int[]) AS row (document, position, a, b, c)
  JOIN bench_texts a ON a.id = row.a JOIN bench_texts b ON b.id = row.b JOIN bench_texts c ON c.id = row.c`;

async function storeTexts(db: Database, orgId: string, encoder: TextEncoder): Promise<void> {
  await db.query(
    `CREATE TABLE bench_texts (id int PRIMARY KEY, content text, terms bigint[], weights sparsevec(1000000000),
       strong halfvec(384), weak halfvec(384), faint halfvec(384), tokens bytea)`,
  );
  const texts = Array.from({ length: TEXTS }, () => sentences(SENTENCES).join(' '));
  for (let from = 0; from < TEXTS; from += 20) {
    const some = texts.slice(from, from + 20);
    const encoded = await encoder.encode(some, { orgId });
    for (const [at, content] of some.entries()) {
      const { terms, weights } = atOnce(indexText(content, [saltOf(orgId, null)]));
      const { vector, tokens } = encoded[at] ?? {};
      const strengths = [1, 0.5, 0.35].map((strength) =>
        vectorText(
          (vector ?? new Float32Array()).map((value) => value * strength),
          384,
        ),
      );
      await db.query('INSERT INTO bench_texts VALUES ($1, $2, $3, $4, $5, $6, $7, $8)', [
        from + at,
        content,
        terms[0] ?? [],
        weights,
        ...strengths,
        tokens,
      ]);
    }
  }
}
