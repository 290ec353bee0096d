import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Colleague } from './team.ts';
import { sentences } from './sentences.ts';

/** What people do, and how often out of a hundred times. They look far more than they write. */
const MIX = {
  list: 50,
  overview: 15,
  notifications: 10,
  post: 15,
  search: 5,
  recall: 2,
  ask: 3,
} as const;
export type Action = keyof typeof MIX;
const ACTIONS = (Object.keys(MIX) as Action[]).flatMap((name) =>
  Array.from({ length: MIX[name] }, () => name),
);
const WORDS = ['report', 'budget', 'backup', 'contract', 'deadline', 'customer', 'migration'];
const BODIES = sentences(500);
/** Whoever waits longer than this has given up. */
const PATIENCE_MS = 30_000;

export interface Workday {
  /** Milliseconds by action, of those that succeeded, since the last call. */
  take(): { times: Map<Action, number[]>; failures: Map<string, number> };
  /** How many event streams are open, and how many events they have brought. */
  streams(): { open: number; events: number };
  /** The mean pause between two things that one person does. */
  setPause(ms: number): void;
  end(): Promise<void>;
}

const any = <T>(from: readonly T[]) => from[Math.floor(Math.random() * from.length)] as T;

/** Everybody has a page open on a session, and does one thing after another. */
export function startWorkday(
  origin: string,
  colleagues: readonly Colleague[],
  pauseMs: number,
): Workday {
  const ending = new AbortController();
  let times = new Map<Action, number[]>();
  let failures = new Map<string, number>();
  let pause = pauseMs;
  let open = 0;
  let events = 0;

  const count = (what: string) => void failures.set(what, (failures.get(what) ?? 0) + 1);

  async function send(path: string, key: string, body?: object): Promise<Response> {
    return fetch(`${origin}/api${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  }

  function doing(action: Action, { key, slug, sessionIds }: Colleague): Promise<Response> {
    const messages = `/spaces/${slug}/sessions/${any(sessionIds)}/messages`;
    if (action === 'list') return send(`${messages}?limit=50`, key);
    if (action === 'overview') return send('/sessions?limit=50', key);
    if (action === 'notifications') return send('/notifications?limit=20', key);
    if (action === 'search') return send('/messages/search', key, { query: any(WORDS) });
    if (action === 'recall') return send('/memory/search', key, { query: any(BODIES) });
    const body = `${action === 'ask' ? '@ada ' : ''}${any(BODIES)}`;
    return send(messages, key, { body });
  }

  async function act(colleague: Colleague): Promise<void> {
    const action = any(ACTIONS);
    const startedAt = performance.now();
    try {
      const response = await doing(action, colleague);
      await response.arrayBuffer();
      if (!response.ok) return count(`${action}: ${response.status}`);
      const took = times.get(action) ?? [];
      times.set(action, took);
      took.push(performance.now() - startedAt);
    } catch (error) {
      count(`${action}: ${error instanceof Error ? error.name : String(error)}`);
    }
  }

  async function work(colleague: Colleague): Promise<void> {
    while (!ending.signal.aborted) {
      await sleep(-Math.log(1 - Math.random()) * pause);
      if (!ending.signal.aborted) await act(colleague);
    }
  }

  async function watch({ key, slug, sessionIds }: Colleague): Promise<void> {
    const path = `/api/spaces/${slug}/sessions/${any(sessionIds)}/events`;
    const headers = { authorization: `Bearer ${key}` };
    while (!ending.signal.aborted) {
      try {
        const response = await fetch(origin + path, { headers, signal: ending.signal });
        if (!response.ok) count(`events: ${response.status}`);
        open++;
        for await (const _ of response.body ?? []) events++;
      } catch {
        if (!ending.signal.aborted) count('events: broken');
      } finally {
        open--;
      }
      await sleep(1_000);
    }
  }

  const working = Promise.all(colleagues.map(work));
  for (const colleague of colleagues) void watch(colleague);
  return {
    take() {
      const taken = { times, failures };
      [times, failures] = [new Map(), new Map()];
      return taken;
    },
    streams: () => ({ open, events }),
    setPause(ms) {
      pause = ms;
    },
    async end() {
      ending.abort();
      await working;
    },
  };
}
