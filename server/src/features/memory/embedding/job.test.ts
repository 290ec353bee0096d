import { expect, it } from 'vitest';
import { useJobQueue } from '../../../../test/harness/processes/use-job-queue.ts';
import { createJobQueue } from '../../../jobs/queue.ts';
import { claimJobs } from '../../../jobs/store.ts';
import { EMBED_MEMORIES, enqueueEmbedding } from './job.ts';

const queue = useJobQueue();

it('leaves room for mail, however many organisations have memories to embed', async () => {
  const jobs = createJobQueue({ wake() {} });
  await queue.db.transaction(async (db) => {
    for (let nth = 0; nth < 20; nth++) enqueueEmbedding({ jobs, db, orgId: `org-${nth}` });
  });
  await queue.enqueue({ kind: 'mail', payload: {} });
  const claimed = await claimJobs(queue.db, 8, 'a-worker', 60);
  const kinds = claimed.map(({ kind }) => kind);
  expect(kinds).toContain('mail');
  expect(kinds.filter((kind) => kind === EMBED_MEMORIES)).toHaveLength(4);
});
