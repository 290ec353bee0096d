import { beforeAll, describe, expect, it, vi } from 'vitest';
import { readReturnTo } from './return-to.ts';

beforeAll(() => vi.stubGlobal('location', { origin: 'https://atrium.example' }));

describe('readReturnTo', () => {
  it.each(['/', '/memory?q=x', '/p/pricing/s/c1?m=c2#end', '/invite/abc'])('keeps %s', (path) => {
    expect(readReturnTo(path)).toBe(path);
  });

  it.each([
    null,
    undefined,
    '',
    'memory',
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
    'javascript:alert(1)',
    ' //evil.example',
    '/p\u0000',
  ])('sends %j to the first page', (path) => {
    expect(readReturnTo(path)).toBe('/');
  });

  it('does not lead back to the sign-in', () => {
    expect(readReturnTo('/sign-in?returnTo=/sign-in')).toBe('/');
  });
});
