import { expect, it } from 'vitest';
import { connect } from './harness/client.ts';

const client = connect();

it('add, change, test and delete a model provider', async () => {
  const made = await client.models.createProvider({
    kind: 'openai-compatible',
    name: 'Closed',
    // A port that is never called.
    baseUrl: 'https://93.184.216.34:22/v1',
    models: [{ slug: 'closed-model', model: 'm' }],
  });
  expect(await client.models.testProvider(made.id)).toMatchObject({ ok: false });
  expect(await client.models.listOffered(made.id)).toMatchObject({ models: [] });
  const changed = await client.models.updateProvider(made.id, { isEnabled: false });
  expect([changed.isEnabled, changed.hasKey]).toEqual([false, false]);
  expect((await client.models.listProviders()).items).toEqual([
    { ...changed, lastTestedAt: expect.any(String), lastError: expect.any(String) },
  ]);
  await client.models.deleteProvider(made.id);
  expect((await client.models.listProviders()).total).toBe(0);
});
