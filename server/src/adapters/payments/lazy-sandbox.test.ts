import { expect, it } from 'vitest';
import type { Database } from '../../db/types.ts';
import { createTestDatabase } from '../../../test/harness/databases/database.ts';
import { createLogger } from '../../core/logger.ts';
import { createPayments } from './create-payments.ts';
import { createLazySandbox } from './lazy-sandbox.ts';

it('starts again for the next caller if the first start failed', async () => {
  const database = await createTestDatabase();
  let isDown = true;
  const db = new Proxy(database.db, {
    get(target, name: keyof Database) {
      if (isDown && name === 'transaction') throw new Error('the database is down');
      return target[name];
    },
  });
  const sandbox = createLazySandbox({
    db,
    jobs: { enqueue() {} },
    log: createLogger('silent'),
    publicUrl: () => 'http://127.0.0.1:1',
    webhookUrl: () => 'http://127.0.0.1:1',
  });
  const stripe = { secretKey: undefined, webhookSecret: undefined, apiBase: undefined, prices: {} };
  const payments = createPayments({ stripe }, sandbox);
  const create = () =>
    payments?.createCustomer({ orgId: 'o', name: 'Acme', email: 'a@example.com' }, 'key');
  await expect(create()).rejects.toThrow('the database is down');
  isDown = false;
  expect(await create()).toMatch(/^cus_/);
  expect(await sandbox.get()).toBe(await sandbox.get());
  await sandbox.close();
  await database.drop();
});
