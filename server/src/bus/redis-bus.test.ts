import { afterEach, describe, expect, it, vi } from 'vitest';
import { startTcpProxy } from '../../test/harness/outside/tcp-proxy.ts';
import { createLogger } from '../core/logger.ts';
import type { Bus } from './bus.ts';
import { createBus } from './create-bus.ts';

const REDIS = process.env['TEST_REDIS_URL'];
/** A bus through Redis never opens it. */
const POSTGRES = 'postgres://127.0.0.1:1/unused';
const logLines: string[] = [];
const log = createLogger('info', { write: (line: string) => void logLines.push(line) });
const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
  logLines.length = 0;
});

/** One that listens: it reports a gap then. */
async function start(url = REDIS): Promise<{ bus: Bus; lines: string[]; gaps: () => number }> {
  const bus = createBus({ redis: url, postgres: POSTGRES }, log);
  open.push(bus);
  const lines: string[] = [];
  const onGap = vi.fn<() => void>();
  bus.subscribe('live', (line) => lines.push(line));
  bus.onGap(onGap);
  await vi.waitFor(() => expect(onGap).toHaveBeenCalled(), 30_000);
  return { bus, lines, gaps: () => onGap.mock.calls.length };
}

describe.runIf(REDIS)('a bus through Redis', () => {
  it('brings lines to the other processes in order, and to its own only once', async () => {
    const [here, there] = [await start(), await start()];
    const sent = Array.from({ length: 50 }, (_, at) => `{"text":"a\\nb ${at}"}`);
    for (const line of sent) here.bus.publish('live', line);
    expect(here.lines).toEqual(sent);
    await vi.waitFor(() => expect(there.lines).toEqual(sent), 30_000);
    there.bus.publish('live', 'last');
    await vi.waitFor(() => expect(here.lines).toEqual([...sent, 'last']), 30_000);
    expect(there.lines).toEqual([...sent, 'last']);
  });

  it('keeps installations apart that use different databases of a Redis', async () => {
    const other = new URL(REDIS as string);
    other.pathname = '/3';
    const [here, elsewhere, there] = [await start(), await start(other.href), await start()];
    here.bus.publish('live', 'ours');
    await vi.waitFor(() => expect(there.lines).toEqual(['ours']), 30_000);
    expect(elsewhere.lines).toEqual([]);
  });

  it('reports a gap after an outage, and sends what it could not send', async () => {
    const { hostname: host, port } = new URL(REDIS as string);
    const proxy = await startTcpProxy({ host, port: Number(port) });
    open.push(proxy);
    const [here, there] = [await start(`redis://127.0.0.1:${proxy.port}`), await start()];
    const before = here.gaps();
    proxy.cut();
    await vi.waitFor(() => expect(logLines.join()).toContain('lost Redis'), 30_000);
    here.bus.publish('live', 'meanwhile');
    expect(here.lines).toEqual(['meanwhile']);
    proxy.open();
    await vi.waitFor(() => expect(there.lines).toEqual(['meanwhile']), 30_000);
    await vi.waitFor(() => expect(here.gaps()).toBeGreaterThan(before), 30_000);
    expect(logLines.join()).toContain('reconnected to other processes');
  });

  it('sends what is queued before it closes', async () => {
    const [here, there] = [await start(), await start()];
    here.bus.publish('live', 'first');
    here.bus.publish('live', 'second');
    await here.bus.close();
    await vi.waitFor(() => expect(there.lines).toEqual(['first', 'second']), 30_000);
  });
});
