import { expect, it } from 'vitest';
import { proposeSlug } from './propose-slug.ts';

it('makes a mention that the API accepts, or none', () => {
  expect(proposeSlug('Issue tracker (new)')).toBe('issue-tracker-new');
  expect(proposeSlug('Überblick Café')).toBe('uberblick-cafe');
  expect(proposeSlug('你好')).toBe('');
  expect(proposeSlug('a'.repeat(99))).toHaveLength(40);
});
