import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { expectInvalid, problemsOf } from '../harness/clients/envelope.ts';
import { format, sendRaw } from '../harness/clients/raw-http.ts';
import { useHostileTarget } from '../harness/processes/use-hostile-target.ts';

const MIB = 1024 * 1024;

const target = useHostileTarget();
const { server } = target;

/** Sent with an Idempotency-Key, under which the response would be stored if it were stored at all. */
async function post(body: string | Uint8Array, path = '/api/projects') {
  const headers = ['Content-Type: application/json', `Idempotency-Key: ${randomUUID()}`];
  const request = format({ method: 'POST', path, key: target.org.owner.key, headers, body });
  return sendRaw(server.origin, request);
}

async function expectRefused(body: string | Uint8Array, problems: string[]) {
  expect(problemsOf(await post(body))).toEqual(problems);
  await target.expectNothingStored();
}

const nested = (levels: number) => `{"name":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

describe('400: JSON that the contract does not accept', () => {
  it.each<[string, string | Uint8Array]>([
    ['a word', 'name'],
    ['a half', '{"name":"x"'],
    ['two values', '{"name":"x"}{"name":"y"}'],
    ['a trailing comma', '{"name":"x",}'],
    ['single quotes', "{'name':'x'}"],
    ['a comment', '{"name":"x"/**/}'],
    ['NaN', '{"name":NaN}'],
    ['Infinity', '{"name":Infinity}'],
    ['-Infinity', '{"name":-Infinity}'],
    ['undefined', '{"name":undefined}'],
    ['a leading zero', '{"name":01}'],
    ['a plus sign', '{"name":+1}'],
    ['hexadecimal', '{"name":0x1}'],
    ['white space only', ' \r\n\t '],
    ['other white space', '\u00a0{"name":"x"}'],
    ['a byte order mark', '\ufeff{"name":"x"}'],
    ['a raw NUL', '{"name":"a\0b"}'],
    ['a raw newline in a string', '{"name":"a\nb"}'],
    ['NUL after the end', '{"name":"x"}\0'],
    ['a broken escape', String.raw`{"name":"\x41"}`],
    ['half a \\u escape', String.raw`{"name":"\u12"}`],
    ['a string without an end', `{"name":"${'x'.repeat(MIB - 100)}`],
    ['a backslash at the end', '{"name":"\\'],
    ['a megabyte of white space without an end', `{"name"${' '.repeat(MIB - 100)}`],
    ['brackets that do not match', '{"name":["x"}]'],
    ['more closing than opening', ']]]]}}}}'],
    ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le')],
  ])('%s', async (_title, body) => {
    await expectRefused(body, ['body malformed_json']);
  });

  it.each<[string, Uint8Array]>([
    ['a lone continuation byte', bytes('{"name":"', [0x80], '"}')],
    ['a sequence cut short', bytes('{"name":"', [0xe2, 0x82], '"}')],
    ['an overlong form', bytes('{"name":"', [0xc0, 0xaf], '"}')],
    ['a surrogate in UTF-8', bytes('{"name":"', [0xed, 0xa0, 0x80], '"}')],
    ['past U+10FFFF', bytes('{"name":"', [0xf4, 0x90, 0x80, 0x80], '"}')],
    ['0xFF', bytes('{"name":"', [0xff], '"}')],
    ['in a key', bytes('{"na', [0xc3], 'me":"x"}')],
    ['a UTF-16 byte order mark', bytes([0xff, 0xfe], '{"name":"x"}')],
  ])('invalid UTF-8: %s', async (_title, body) => {
    await expectRefused(body, ['body invalid_utf8']);
  });

  it.each<[string, string]>([
    ['65 levels', nested(65)],
    ['65 levels of objects', `${'{"a":'.repeat(64)}{}${'}'.repeat(64)}`],
    ['half a million brackets', '['.repeat(500_000)],
    ['half a million objects', '{"a":'.repeat(200_000)],
    ['after a string with brackets in it', `{"a":"]]]]","b":${'['.repeat(64)}${']'.repeat(64)}}`],
  ])('too deep: %s', async (_title, body) => {
    await expectRefused(body, ['body too_deep']);
  });

  it('64 levels are not too deep, but the field is unknown', async () => {
    await expectRefused(nested(64), ['body.name invalid_type']);
    await expectRefused(`{"name":"${'[{'.repeat(200)}","x":1}`, [
      'body.name too_long',
      'body.x unknown_field',
    ]);
  });

  it.each<[string, string]>([
    ['twice', '{"name":"x","name":"y"}'],
    ['with the same value', '{"name":"x","name":"x"}'],
    ['spelled with an escape', String.raw`{"name":"x","\u006eame":"y"}`],
    ['spelled with two escapes', String.raw`{"n\u0061me":"x","na\u006De":"y"}`],
    ['with white space before the colon', '{"name" \r\n\t:"x","name":"y"}'],
    ['further in', '{"name":"x","tags":[{"a":1,"a":2}]}'],
    ['after an object with the same key', '{"name":"x","a":{"name":1},"name":"y"}'],
    ['that is empty', '{"name":"x","":1,"":2}'],
  ])('a key %s', async (_title, body) => {
    await expectRefused(body, ['body duplicate_key']);
  });

  it('quotes, brackets and backslashes in a text are text', async () => {
    const name = `a\\" ${'[{'.repeat(40)} "name": \\" \\`;
    const reply = await post(JSON.stringify({ name, tags: ['"', '\\', '\\"'] }));
    expect(reply.json.data).toMatchObject({ name, tags: ['"', '\\', '\\"'] });
  });

  it('the same key in two objects is not a duplicate', async () => {
    await expectRefused('{"name":{"name":1},"tags":[{"name":"a"},{"name":"name"}]}', [
      'body.name invalid_type',
      'body.tags[0] invalid_type',
      'body.tags[1] invalid_type',
    ]);
  });

  it.each<[string, string]>([
    ['at the top', '{"name":"x","__proto__":{"access":"MEMBERS"}}'],
    ['in a list', '{"name":"x","tags":[{"__proto__":null}]}'],
    ['deep down', `{"name":${'{"a":'.repeat(60)}{"__proto__":1}${'}'.repeat(60)}}`],
    ['escaped', String.raw`{"name":"x","\u005f_proto__":{"access":"MEMBERS"}}`],
  ])('__proto__ %s', async (_title, body) => {
    await expectRefused(body, ['body unknown_field']);
    expect(Object.hasOwn(Object.prototype, 'access')).toBe(false);
  });

  it('names that every object has are unknown fields too', async () => {
    await expectRefused('{"name":"x","constructor":{"prototype":{}},"toString":1,"valueOf":1}', [
      'body.constructor unknown_field',
      'body.toString unknown_field',
      'body.valueOf unknown_field',
    ]);
  });
});

describe('400: JSON of the wrong shape', () => {
  it.each(['[]', '[{"name":"x"}]', '"name"', '0', '-1e400', 'true', 'null'])('%s', async (body) => {
    await expectRefused(body, ['body invalid_type']);
  });

  it('text that cannot be stored unchanged', async () => {
    const body = String.raw`{"name":"a\u0000b","description":"\ud800","tags":["ok","\udc00x","a\ud83d"]}`;
    await expectRefused(body, [
      'body.name invalid_character',
      'body.description invalid_character',
      'body.tags[1] invalid_character',
      'body.tags[2] invalid_character',
    ]);
  });

  it('such text in a key, or where no text is expected', async () => {
    const body = String.raw`{"name":"x","\u0000":1,"tags":{"a":"\ud800"}}`;
    await expectRefused(body, [
      String.raw`body["\u0000"] invalid_character`,
      'body.tags.a invalid_character',
      'body.tags invalid_type',
    ]);
  });

  it('a surrogate pair is one character, escaped or not', async () => {
    const reply = await post(String.raw`{"name":"\ud83d\ude80 🚀 rocket"}`);
    expect(reply.json.data).toMatchObject({ name: '🚀 🚀 rocket', slug: 'rocket' });
  });

  it.each(['1e400', '-1e400', '1e21', '9007199254740993', '0.5', '-1', '"60"', '[60]'])(
    'a number out of bounds: %s',
    async (number) => {
      const path = `/api/keys/${target.org.owner.keyId}/rotate`;
      const body = `{"gracePeriodSeconds":${number}}`;
      const errors = expectInvalid(await post(body, path));
      expect(errors.map(({ location }) => location)).toEqual(['body.gracePeriodSeconds']);
      await target.expectNothingStored();
    },
  );

  it('a number of a million digits', async () => {
    await expectRefused(`{"name":${'9'.repeat(MIB - 100)}}`, ['body.name invalid_type']);
  });

  it.each<[string, string]>([
    ['list items', `{"name":"x","tags":[${'0,'.repeat(500_000)}0]}`],
    ['empty objects', `{"name":"x","tags":[${'{},'.repeat(300_000)}{}]}`],
    [
      'texts with NUL',
      String.raw`{"name":"x","tags":[${String.raw`"\u0000",`.repeat(110_000)}"x"]}`,
    ],
    [
      'unknown fields',
      `{"name":"x"${Array.from({ length: 80_000 }, (_, at) => `,"${at}":0`).join('')}}`,
    ],
    ['empty lists', `{"name":"x","tags":[${'[],'.repeat(300_000)}[]]}`],
    [
      'long lists in a list',
      `{"name":"x","a":[${`[${'['.repeat(60)}${']'.repeat(60)}],`.repeat(8_000)}0]}`,
    ],
  ])('very many %s are never built, and are one error', async (_title, body) => {
    const parse = vi.spyOn(JSON, 'parse');
    try {
      expect(problemsOf(await post(body))).toEqual(['body too_many_values']);
      const parsed = parse.mock.calls.map(([text]) => text.length);
      expect(Math.max(...parsed)).toBeLessThan(1_000);
      expect(parsed.length).toBeLessThan(6_000);
    } finally {
      parse.mockRestore();
    }
    await target.expectNothingStored();
  });

  it.each<[string, string]>([
    [
      'unknown fields',
      `{"name":"x"${Array.from({ length: 4_900 }, (_, at) => `,"${at}":0`).join('')}}`,
    ],
    ['texts with NUL', String.raw`{"name":"x","tags":[${String.raw`"\u0000",`.repeat(4_900)}"x"]}`],
  ])('of many %s the first thousand are reported', async (_title, body) => {
    const reply = await post(body);
    expect(expectInvalid(reply)).toHaveLength(1_000);
    await target.expectNothingStored();
  });

  it('of many query parameters the first thousand are reported', async () => {
    const names = Array.from({ length: 2_500 }, (_, at) => at.toString(36));
    const twice = `${names.slice(0, 1_500).join('&')}&${names.slice(0, 1_500).join('&')}`;
    for (const query of [names.join('&'), twice, '%&'.repeat(5_000)]) {
      const reply = await post('{"name":"x"}', `/api/projects?${query}`);
      expect(expectInvalid(reply)).toHaveLength(1_000);
    }
    await target.expectNothingStored();
  });
});
