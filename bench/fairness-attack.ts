/** Run by bench/fairness.ts in a separate process: repeats one attack until it is ended. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';

const AT_ONCE = 8;
const MIB = 1024 * 1024;
const Made = z.object({ data: z.object({ id: z.string(), slug: z.string().optional() }) });

interface Target {
  origin: string;
  keys: string[];
}

type Send = (path: string, body: string, headers?: Record<string, string>) => Promise<string>;

const ATTACKS: Record<string, (send: Send) => Promise<() => Promise<unknown>>> = {
  async 'long messages, @recall'(send) {
    const make = async (path: string, body: object) =>
      Made.parse(JSON.parse(await send(path, JSON.stringify(body)))).data;
    const { slug } = await make('/projects', { name: `Recall ${randomUUID()}` });
    const { id } = await make(`/spaces/${slug}/sessions`, { name: 'Long' });
    const messages = `/spaces/${slug}/sessions/${id}/messages`;
    for (let at = 0; at < 80; at++) await make(messages, { body: prose(20_000) });
    return () => make(messages, { body: '@recall what did we decide about the pricing review?' });
  },
  '100,000 keys in a body': async (send) => {
    const keys = Array.from({ length: 100_000 }, (_, at) => `"${at.toString(36)}":0`);
    const body = `{${keys.join(',')}}`;
    return () => send('/projects', body);
  },
  'queries of 2,000 marks': async (send) => () => search(send, '.!?;'.repeat(500)),
  'queries of rare characters': async (send) => () => search(send, han(2_000)),
  'texts of combining marks': async (send) => () =>
    Promise.all([
      remember(send, `a${'\u0301\u0316'.repeat(4_999)}`),
      remember(send, '\u{1d16d}\u{1d165}'.repeat(5_000)),
      search(send, '\u0301\u0316'.repeat(1_000)),
    ]),
  'large memories': async (send) => () =>
    Promise.all([remember(send, han(10_000)), remember(send, '\ufdfa'.repeat(10_000))]),
  'MCP arguments': async (send) => {
    const keys = Array.from({ length: 85_000 }, (_, at) => `"${at.toString(36)}":0`);
    const call = `{"name":"search_memory","arguments":{${keys.join(',').slice(0, 0.81 * MIB)}":0}}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${call}}`;
    const accept = { accept: 'application/json, text/event-stream' };
    return () => send('/mcp', body, accept);
  },
  'idempotent searches': async (send) => () =>
    search(send, prose(2_000), { 'idempotency-key': randomUUID() }),
};

export const ATTACK_NAMES = Object.keys(ATTACKS);

if (process.send) process.once('message', (message) => void attack(message as Target));

async function attack({ origin, keys }: Target): Promise<void> {
  const attackName = process.argv[2] ?? '';
  let sent = 0;
  const send: Send = async (path, body, headers) => {
    const response = await fetch(`${origin}/api${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${keys[sent++ % keys.length]}`,
        'content-type': 'application/json',
        ...headers,
      },
      body,
    });
    return response.text();
  };
  const act = await ATTACKS[attackName]?.(send);
  if (!act) throw new Error(`unknown attack "${attackName}"`);
  process.send?.('ready');
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      // Refusing is a valid defence.
      for (;;) await act().catch(() => {});
    }),
  );
}

function search(send: Send, query: string, headers?: Record<string, string>): Promise<string> {
  return send('/memory/search', JSON.stringify({ query }), headers);
}

function remember(send: Send, content: string): Promise<string> {
  return send('/memory', JSON.stringify({ content, visibility: 'ORG' }));
}

function prose(length: number): string {
  const sentence = () => `The review of ${randomUUID().slice(0, 8)} decided about the pricing. `;
  return Array.from({ length: length / 40 }, sentence)
    .join('')
    .slice(0, length);
}

function han(length: number): string {
  const letter = () => String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000));
  return Array.from({ length }, letter).join('');
}
