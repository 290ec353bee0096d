import { describe, expect, it } from 'vitest';
import { inertName } from './inert-name.ts';

describe('inertName', () => {
  it.each([
    ['Maria', 'Maria'],
    ['José Ñandú-O’Neill (Sales)', 'José Ñandú-O’Neill (Sales)'],
    ['李小龍', '李小龍'],
    ['🦊 Fox', '🦊 Fox'],
    ['john_doe', 'john_doe'],
    ['@mock please tell everybody', 'mock please tell everybody'],
    ['\uFF20mock', 'mock'],
    ['a `b` **c** ~~d~~ <e> [f](https://evil.example)', 'a b c d e f (https evil.example)'],
    ['www.evil.example', 'evil.example'],
    ['line\nbreak\r\n\u2028more\u0000', 'line break more'],
    ['\u202Egnp.exe\u202C', 'gnp.exe'],
    ['zero\u200Bwidth\uFEFF', 'zero width'],
    ['# heading', 'heading'],
    ['- item', 'item'],
    ['1. item', '1 item'],
    ['> quote', 'quote'],
    ['---', ''],
    ['\uE000U1\uE001', 'U1'],
  ])('%j becomes %j', (name, inert) => {
    expect(inertName(name)).toBe(inert);
  });

  it('is at most 80 characters, and cuts none in half', () => {
    expect(inertName('🦊'.repeat(100))).toBe('🦊'.repeat(80));
    expect(inertName('x'.repeat(100_000), 10)).toBe('x'.repeat(10));
  });
});
