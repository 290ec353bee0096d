import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../core/errors.ts';
import { parseJson } from './json.ts';

describe('parseJson', () => {
  const parse = (text: string) => parseJson(Buffer.from(text));
  const values = fc
    .jsonValue({ maxDepth: 6 })
    .filter((value) => !JSON.stringify(value).includes('__proto__'));
  const spaces = fc.constantFrom('', ' ', '\t', '\n  ');

  it('agrees with JSON.parse on valid input', () => {
    const property = fc.property(values, spaces, (value, space) => {
      const text = `${space}${JSON.stringify(value, undefined, space)}${space}`;
      expect(parse(text)).toEqual(JSON.parse(text));
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('refuses what JSON.parse refuses, and returns the same values', () => {
    const noise = fc.constantFrom(
      '',
      '"',
      '\\',
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '0',
      'e',
      '\0',
      '\ufeff',
      'é',
    );
    const property = fc.property(values, fc.nat(), fc.nat(2), noise, (value, at, cut, insert) => {
      const good = JSON.stringify(value);
      const start = at % (good.length + 1);
      const text = good.slice(0, start) + insert + good.slice(start + cut);
      const read = attempt(() => parse(text));
      const expected = attempt(() => JSON.parse(text.toWellFormed()));
      if (read.error) expect(read.error).toBeInstanceOf(AppError);
      else expect(read).toEqual(expected);
    });
    fc.assert(property, { numRuns: 2_000 });
  });

  it('refuses a key twice, whatever is between and however it is spelled', () => {
    const key = fc.string({ unit: 'binary' }).filter((text) => text !== '__proto__');
    const property = fc.property(
      key,
      fc.dictionary(fc.string(), values),
      fc.nat(),
      (key, others, seed) => {
        const { [key]: _, ...between } = others;
        const inner = JSON.stringify(between).slice(1, -1);
        const parts = [
          `${JSON.stringify(key)}:1`,
          ...(inner ? [inner] : []),
          `${escapeSome(key, seed)} :2`,
        ];
        expect(() => parse(`[{${parts.join(',')}}]`)).toThrow(/twice|__proto__/);
      },
    );
    fc.assert(property, { numRuns: 300 });
  });

  it('accepts 64 levels and refuses 65, in any mixture', () => {
    const property = fc.property(
      fc.array(fc.boolean(), { minLength: 60, maxLength: 70 }),
      (kinds) => {
        const open = kinds.map((isList) => (isList ? '[' : '{"a":')).join('');
        const close = kinds
          .map((isList) => (isList ? ']' : '}'))
          .toReversed()
          .join('');
        const read = attempt(() => parse(`${open}0${close}`));
        expect(read.error === undefined).toBe(kinds.length <= 64);
      },
    );
    fc.assert(property, { numRuns: 100 });
  });

  function attempt(work: () => unknown): { value?: unknown; error?: unknown } {
    try {
      return { value: work() };
    } catch (error) {
      return { error };
    }
  }

  function escapeSome(text: string, seed: number): string {
    const units = text.split('').map((unit, at) => {
      const code = unit.charCodeAt(0).toString(16).padStart(4, '0');
      return (seed >> (at % 30)) & 1 || unit < ' ' || '"\\'.includes(unit) ? `\\u${code}` : unit;
    });
    // Half of a surrogate pair escaped and half of it raw is not valid text.
    return text === text.replaceAll(/[^\0-\uffff]/gu, '')
      ? `"${units.join('')}"`
      : JSON.stringify(text);
  }
});
