import { setImmediate } from 'node:timers/promises';
import { fastify } from 'fastify';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { sendDownload } from './download.ts';

it('ends after it is closed, so that the next download can start at once', async () => {
  const app = fastify();
  const events: string[] = [];
  app.get('/', (_request, reply) =>
    sendDownload('application/gzip', reply, {
      open: async () => ({
        fileName: 'all.tar.gz',
        async *read() {
          yield Buffer.from('everything');
        },
        async close() {
          for (let turn = 0; turn < 100; turn++) await setImmediate();
          events.push('closed');
        },
      }),
      check: async () => {},
      log: pino({ level: 'silent' }),
    }),
  );
  const origin = await app.listen();
  onTestFinished(() => app.close());
  const response = await fetch(origin);
  expect(await response.text()).toBe('everything');
  expect(events).toEqual(['closed']);
});
