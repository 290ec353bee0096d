/** Run by bench/fairness.ts in a separate process: repeats one attack until it is ended. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { prepareFileAttack } from './file-attacks.ts';

const AT_ONCE = 8;
const MIB = 1024 * 1024;
const Made = z.object({ data: z.object({ id: z.string(), slug: z.string().optional() }) });

interface Target {
  origin: string;
  keys: string[];
}

/** Sends a POST, or a GET if there is no body. */
type Send = (path: string, body?: string, headers?: Record<string, string>) => Promise<string>;

const ATTACKS: Record<string, (send: Send) => Promise<() => Promise<unknown>>> = {
  async 'long messages, @recall'(send) {
    const messages = await fillSession(send, 80, () => prose(20_000));
    const question = { body: '@recall what did we decide about the pricing review?' };
    return () => send(messages, JSON.stringify(question));
  },
  async 'long phrases, long messages'(send) {
    // At each place, half of the phrase matches.
    const body = `${'東'.repeat(19_050)}京${'東'.repeat(900)}`;
    await fillSession(send, 100, () => body);
    return () => searchMessages(send, `"${'東'.repeat(990)}京${'東'.repeat(1_006)}"`);
  },
  async 'many phrases, long messages'(send) {
    await fillSession(send, 100, () => 'ab cd '.repeat(3_333));
    const many = '"ab cd" '.repeat(249);
    const different = Array.from({ length: 24 }, (_, at) => `"${'ab cd '.repeat(at + 1)}ab"`);
    return () =>
      Promise.all([searchMessages(send, many), searchMessages(send, different.join(' '))]);
  },
  async 'phrases, 500 long messages'(send) {
    await fillSession(send, 500, () => `plan price ${prose(19_900)}`);
    return () => searchMessages(send, '"price plan"');
  },
  async 'words of 500 long messages'(send) {
    await fillSession(send, 500, () => `${words(19_900)} plan price`);
    return () => searchMessages(send, 'plan price review of the pricing and nothing else at all');
  },
  async 'thousands of highlights'(send) {
    await fillSession(send, 100, (at) => (at % 2 === 0 ? 'ab cd ef ' : '東京都').repeat(2_200));
    return () =>
      Promise.all([searchMessages(send, 'ab ef'), searchMessages(send, '東京都 "cd ef ab"')]);
  },
  async 'matches of 80 kB'(send) {
    await fillSession(send, 100, () => `okapi ${'\u{20000}\u{1f642}'.repeat(9_990)}`);
    return () => searchMessages(send, 'okapi');
  },
  async 'pages of long messages'(send) {
    const messages = await fillSession(send, 100, () => '\u{20000}\u{1f642}'.repeat(9_990));
    // Each page is asked for at another limit too, so that it isn't one from the cache.
    let asked = 0;
    return () => send(`${messages}?limit=${100 - (asked++ % 50)}`);
  },
  async 'tasks of combining marks'(send) {
    const { id } = await make(send, '/projects', { name: `Tasks ${randomUUID()}` });
    const description = `a${'\u0301\u0316'.repeat(9_999)}`;
    const task = JSON.stringify({ projectId: id, title: 'Marks', description });
    return () => send('/tasks', task);
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
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${keys[sent++ % keys.length]}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    return response.text();
  };
  const target = { origin, keys };
  const act = (await ATTACKS[attackName]?.(send)) ?? (await prepareFileAttack(attackName, target));
  if (!act) throw new Error(`unknown attack "${attackName}"`);
  process.send?.('ready');
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      // Refusing is a valid defence.
      for (;;) await act().catch(() => {});
    }),
  );
}

async function make(send: Send, path: string, body: object) {
  return Made.parse(JSON.parse(await send(path, JSON.stringify(body)))).data;
}

/** Returns the path of the messages of a new session. */
async function fillSession(
  send: Send,
  count: number,
  bodyOf: (at: number) => string,
): Promise<string> {
  const { slug } = await make(send, '/projects', { name: `Attack ${randomUUID()}` });
  const { id } = await make(send, `/spaces/${slug}/sessions`, { name: 'Long' });
  const messages = `/spaces/${slug}/sessions/${id}/messages`;
  for (let at = 0; at < count; at++) await make(send, messages, { body: bodyOf(at) });
  return messages;
}

function searchMessages(send: Send, query: string): Promise<string> {
  return send('/messages/search', JSON.stringify({ query, limit: 100 }));
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

/** Words that hardly ever come again, so that a message has as many keys as it can. */
function words(length: number): string {
  return Array.from({ length: length / 8 }, () => randomUUID().slice(0, 7))
    .join(' ')
    .slice(0, length);
}

function han(length: number): string {
  const letter = () => String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000));
  return Array.from({ length }, letter).join('');
}
