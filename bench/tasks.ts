import type { Database } from '../server/src/db/types.ts';
import { setEmbeddedStage, setStage, type Stage } from './stage.ts';
import { listTasks } from '../server/src/features/tasks/list/service.ts';
import { ListTasks } from '../server/src/features/tasks/schema.ts';
import type { UserContext } from '../server/src/core/context.ts';

const TASKS = 20_000;
const RUNS = 60;
const TARGET_MS = 30;
const PROJECT = 'cproject00000000000000000';

const QUERIES: Record<string, Record<string, string | string[]>> = {
  'a column of the board': { status: ['TODO'], limit: '50' },
  'the last page of a column': { status: ['TODO'], limit: '50', page: '60' },
  'every status by rank': { limit: '100' },
  'the last page of everything': { limit: '100', page: '200' },
  'by due date': { sort: 'dueOn', limit: '50' },
  'by priority': { sort: 'priority', limit: '50' },
  'newest changes': { sort: 'updatedAt', limit: '50' },
  'of one person': { assigneeUserId: 'me', limit: '50' },
  'of an agent': { assigneeAgent: 'ada', limit: '50' },
  'with a label': { label: 'label-7', limit: '50' },
  'due soon': { dueBefore: '2027-01-15', limit: '50' },
  'by its number': { number: '12345' },
  'with words that many have': { query: 'some words', limit: '50' },
  'with words that few have': { query: 'number 19999', limit: '50' },
  'with words that none has': { query: 'absent', limit: '50' },
};

/** How long the SQL of lists takes in a Project with 20,000 tasks, on both engines. */
export async function benchTasks(): Promise<void> {
  for (const [name, open] of [
    ['PostgreSQL', setStage],
    ['embedded', setEmbeddedStage],
  ] as const) {
    const stage = await open();
    try {
      await fillTasks(stage);
      process.stdout.write(
        `tasks: lists of ${TASKS} tasks on ${name}, p95 at most ${TARGET_MS} ms\n`,
      );
      for (const [title, query] of Object.entries(QUERIES)) await benchList(stage, title, query);
    } finally {
      if (name === 'embedded') await stage.db.close();
      await stage.drop();
    }
  }
}

async function benchList(stage: Stage, title: string, query: object): Promise<void> {
  const times: number[] = [];
  const timed: Pick<Database, 'query' | 'sharedRead'> = {
    sharedRead: (text, values) => stage.db.sharedRead(text, values),
    async query<Row extends object>(text: string, values?: readonly unknown[]) {
      const startedAt = performance.now();
      const rows = await stage.db.query<Row>(text, values);
      times.push(performance.now() - startedAt);
      return rows;
    },
  };
  const actor = { kind: 'user', userId: stage.userId, role: 'OWNER' };
  const ctx = { db: timed, orgId: stage.orgId, actor } as unknown as UserContext;
  const parsed = ListTasks.parse(query);
  // The first ones plan the statement.
  for (let run = 0; run < 10; run++) await listTasks(ctx, PROJECT, parsed);
  times.length = 0;
  let total = 0;
  for (let run = 0; run < RUNS; run++) ({ total } = await listTasks(ctx, PROJECT, parsed));
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  const mark = at(0.95) <= TARGET_MS ? '' : '  TOO SLOW';
  process.stdout.write(
    `  ${title.padEnd(30)} ${String(total).padStart(6)} found   median ${at(0.5).toFixed(1)} ms   p95 ${at(0.95).toFixed(1)} ms${mark}\n`,
  );
}

async function fillTasks({ db, orgId, userId }: Stage): Promise<void> {
  await db.query(
    `INSERT INTO projects (org_id, id, slug, name, tags, access, created_by_id, last_task_number)
     VALUES ($1, $3, 'bench', 'Bench', '{}', 'ORG', $2, $4)`,
    [orgId, userId, PROJECT, TASKS],
  );
  for (let from = 1; from <= TASKS; from += 1_000) {
    await db.query(
      `INSERT INTO tasks (org_id, id, project_id, number, title, description, status, rank, priority,
         assignee_user_id, assignee_agent, due_on, labels, created_by_id, created_at, updated_at,
         words)
       SELECT $1, 'c' || lpad(n::text, 24, '0'), $3, n, 'number ' || n || ' of the work to do',
         repeat('some words about it ', 15),
         (ARRAY['PROPOSED', 'TODO', 'IN_PROGRESS', 'IN_REVIEW', 'DONE', 'CANCELLED'])[1 + n % 6],
         lpad((5000000000000000 + n * 7919 % 20011)::text, 16, '0'),
         (ARRAY['NONE', 'LOW', 'MEDIUM', 'HIGH', 'URGENT'])[1 + n % 5],
         CASE WHEN n % 10 = 0 THEN $2 END, CASE WHEN n % 10 = 1 THEN 'ada' END,
         CASE WHEN n % 3 = 0 THEN date '2027-01-01' + (n % 365)::int END,
         ARRAY['label-' || n % 20, 'label-' || n % 7], $2, now(), now() - make_interval(secs => n),
         array_to_tsvector(ARRAY['000000number', '000000' || n, '000000some', '000000words'])
       FROM generate_series($4::int, $4::int + 999) n`,
      [orgId, userId, PROJECT, from],
    );
  }
  await db.query('VACUUM ANALYZE tasks');
}
