import { expect, it } from 'vitest';
import { snippetsFor } from './snippets.ts';

const access = { secret: 'atr_secret', baseURL: 'https://atrium.example.com/api' };

it('puts the key and the address into every snippet', () => {
  for (const family of ['v1', 'v2'] as const) {
    for (const { code } of snippetsFor(family, { ...access, scopes: ['memory:read'] })) {
      expect(code).toContain(access.secret);
      expect(code).toContain(access.baseURL);
    }
  }
});

it('shows only what the scopes of the key allow', () => {
  const codes = (scopes: string[]) =>
    snippetsFor('v2', { ...access, scopes }).map(({ code }) => code);
  expect(codes(['projects:read']).every((code) => code.includes('projects'))).toBe(true);
  expect(codes(['memory:read']).some((code) => code.includes('projects'))).toBe(false);
  expect(codes(['billing:read']).some((code) => /projects|memory/.test(code))).toBe(false);
});

it('uses the Memory API for v1 keys', () => {
  const [curl, typescript, python] = snippetsFor('v1', { ...access, scopes: ['memory:read'] });
  expect(curl?.code).toContain('/api/v1/memories/search');
  expect(typescript?.code).toContain('new AtriumMemory(');
  expect(python?.code).toContain('AtriumMemory(');
});
