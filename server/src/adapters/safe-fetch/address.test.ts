import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './address.ts';
import { CallRefused } from './safe-fetch.ts';
import { parseTarget, targetRules } from './target.ts';

/** First and last address of each range that is not public, typed from the registry and not from the code. */
const NOT_PUBLIC = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['168.63.129.16', '168.63.129.16'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.31.196.255'],
  ['192.52.193.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
].map((range) => range.map(numberOf) as [number, number]);

const RULES = targetRules([], 'http://127.0.0.1:3000');
const RUNS = { numRuns: 1_000 };

function numberOf(dotted: string): number {
  return dotted.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

const isPublic = (v4: number) => !NOT_PUBLIC.some(([first, last]) => first <= v4 && v4 <= last);

function isAllowed(host: string): boolean {
  try {
    parseTarget(`https://${host}/`, RULES);
    return true;
  } catch (error) {
    if (error instanceof CallRefused) return false;
    throw error;
  }
}

/** Any address; often one at the edge of a range. */
const V4 = fc.oneof(
  fc.nat(0xffffffff),
  fc
    .tuple(fc.constantFrom(...NOT_PUBLIC.flat()), fc.integer({ min: -2, max: 2 }))
    .map(([edge, offset]) => Math.min(Math.max(edge + offset, 0), 0xffffffff)),
);

const bytesOf = (v4: number) => [v4 >>> 24, (v4 >>> 16) & 255, (v4 >>> 8) & 255, v4 & 255];
const halves = (v4: number) =>
  `${((v4 & 0xffff0000) >>> 16).toString(16)}:${(v4 & 0xffff).toString(16)}`;
const turned = (v4: number) => (v4 ^ 0xffffffff) >>> 0;
const dotted = (v4: number) => bytesOf(v4).join('.');

/** A number as a URL may have it: decimal, hex or octal. */
const RADIX = fc.constantFrom(
  (part: number) => String(part),
  (part: number) => `0x${part.toString(16)}`,
  (part: number) => `0X000${part.toString(16).toUpperCase()}`,
  (part: number) => `0${part.toString(8)}`,
);

/** With one to four parts; the last one holds the rest. */
function spell(v4: number, count: number, radixes: ((part: number) => string)[]): string {
  const bytes = bytesOf(v4);
  const rest = bytes.slice(count - 1).reduce((sum, byte) => sum * 256 + byte, 0);
  return [...bytes.slice(0, count - 1), rest]
    .map((part, index) => radixes[index]?.(part) ?? '')
    .join('.');
}

const DIGITS = ['0123456789', '０１２３４５６７８９', '⓪①②③④⑤⑥⑦⑧⑨', '𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗', '⁰¹²³⁴⁵⁶⁷⁸⁹'].map(
  (digits) => Array.from(digits),
);
const DOTS = ['.', '。', '．', '｡', '%2e'];

describe('an IPv4 address', () => {
  it('is public or not by its range', () => {
    fc.assert(
      fc.property(V4, (v4) => {
        expect(isPublicAddress(dotted(v4))).toBe(isPublic(v4));
      }),
      RUNS,
    );
  });

  it('is treated the same in every numeric spelling', () => {
    const radixes = fc.array(RADIX, { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(V4, fc.integer({ min: 1, max: 4 }), radixes, (v4, count, each) => {
        expect(isAllowed(spell(v4, count, each))).toBe(isPublic(v4));
      }),
      RUNS,
    );
  });

  it('is treated the same in Unicode digits and dots', () => {
    const digits = fc.array(fc.constantFrom(...DIGITS), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(V4, digits, fc.constantFrom(...DOTS), (v4, sets, dot) => {
        const host = Array.from(dotted(v4))
          .map((each, index) => (each === '.' ? dot : (sets[index % 12]?.[Number(each)] ?? '')))
          .join('');
        expect(isAllowed(host)).toBe(isPublic(v4));
      }),
      RUNS,
    );
  });
});

describe('an IPv4 address in an IPv6 address', () => {
  const PUBLIC_SERVER = '808:808';
  const FORMS: Record<string, (v4: number) => string> = {
    mapped: (v4) => `::ffff:${dotted(v4)}`,
    'mapped, in hex': (v4) => `::ffff:${halves(v4)}`,
    'mapped, in full': (v4) => `0:0000:0:0:0:FFFF:${halves(v4)}`,
    translated: (v4) => `::ffff:0:${dotted(v4)}`,
    NAT64: (v4) => `64:ff9b::${halves(v4)}`,
    '6to4': (v4) => `2002:${halves(v4)}::1`,
    'Teredo, as the client': (v4) => `2001:0:${PUBLIC_SERVER}:0:0:${halves(turned(v4))}`,
    'Teredo, as the server': (v4) => `2001:0:${halves(v4)}:0:0:${halves(turned(0x08080808))}`,
    ISATAP: (v4) => `2606:4700::5efe:${dotted(v4)}`,
  };

  it.each(Object.entries(FORMS))('%s: counts as the IPv4 address', (_form, write) => {
    fc.assert(
      fc.property(V4, (v4) => {
        expect(isPublicAddress(write(v4))).toBe(isPublic(v4));
        expect(isAllowed(`[${write(v4)}]`)).toBe(isPublic(v4));
      }),
      RUNS,
    );
  });

  it.each([
    ['compatible', (v4: number) => `::${dotted(v4)}`],
    ['NAT64 of a local network', (v4: number) => `64:ff9b:1::${dotted(v4)}`],
    ['NAT64 of a local network, /48', (v4: number) => `64:ff9b:1:${halves(v4)}::`],
  ])('%s: is never public', (_form, write) => {
    fc.assert(fc.property(V4, (v4) => !isPublicAddress(write(v4)) && !isAllowed(`[${write(v4)}]`)));
  });
});

describe('an IPv6 address', () => {
  it('is never public outside 2000::/3, except for embedded IPv4', () => {
    const parts = fc.array(fc.nat(0xffff), { minLength: 7, maxLength: 7 });
    const first = fc.nat(0xffff).filter((part) => part >> 13 !== 1 && part !== 0 && part !== 0x64);
    fc.assert(
      fc.property(first, parts, (part, rest) => {
        const address = [part, ...rest].map((each) => each.toString(16)).join(':');
        expect(isPublicAddress(address)).toBe(false);
      }),
      RUNS,
    );
  });

  it.each(['fe80::1%eth0', '2606:4700::1%eth0', '', 'example.com', '0x7f.1', '8.8.8', '[::1]'])(
    'is not %j',
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );
});
