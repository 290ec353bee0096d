import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, inject, it } from 'vitest';
import { connect } from './harness/client.ts';

it('an export is whole, even if it is read only after memory was freed', async () => {
  setFlagsFromString('--expose-gc');
  const free = runInNewContext('gc') as () => void;
  const data = await connect().org.export(inject('server').orgId);
  // What was freed is cleaned up in tasks of their own.
  for (let turn = 0; turn < 20; turn++) {
    free();
    await setImmediate();
  }
  const text = data.pipeThrough(new DecompressionStream('gzip') as TransformStream);
  expect(await new Response(text).text()).toContain('"id"');
});
