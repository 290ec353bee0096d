import { ConflictError, ValidationError } from '@atrium/sdk';
import { expect, it } from 'vitest';
import { refusalInWords } from './refusal-in-words.ts';

const refused = (location: string, message: string) =>
  new ValidationError('The request is invalid.', {
    code: 'VALIDATION_ERROR',
    status: 400,
    details: { errors: [{ location, code: 'x', message }] },
  });

it('says at the file what is wrong with it, and what to do', () => {
  const full = { code: 'CONFLICT', status: 409, details: { reason: 'quota_reached' } };
  expect(refusalInWords(new ConflictError('Long text.', full))).toContain('no storage left');
  const large = refused('body.size', 'must be at most 104857600 bytes (100 MB)');
  expect(refusalInWords(large)).toBe('The file is larger than 100 MB.');
  expect(refusalInWords(refused('body.size', 'must be at least 1'))).toBe('The file is empty.');
  expect(refusalInWords(refused('body.name', 'must not contain control characters'))).toBe(
    'Its name must not contain control characters. Rename it first.',
  );
  expect(refusalInWords(refused('body.other', 'is odd'))).toContain('is invalid');
});
