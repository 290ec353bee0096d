import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isHandle } from '../../../../../server/src/core/handle.ts';
import { findHandleProblem } from './handle-problem.ts';

it.each<[string, RegExp]>([
  ['', /^Enter a handle/],
  ['a', /at least 2/],
  ['a'.repeat(33), /at most 32/],
  ['ada l', /no spaces/],
  ['\u0430da', /^“\u0430” can’t be .* looks like/],
  ['ada💥', /^“💥”/],
  ['-ada', /starts with/],
  ['ada.', /end with a dot/],
])('%j is refused in words', (handle, words) => expect(findHandleProblem(handle)).toMatch(words));

it('refuses what the server refuses, and nothing else', () => {
  const character = fc.constantFrom('a', 'z', '0', '.', '_', '-', 'A', 'é', '\u0430', ' ', '@');
  fc.assert(
    fc.property(
      fc.array(character, { maxLength: 36 }).map((parts) => parts.join('')),
      (handle) => (findHandleProblem(handle) === undefined) === isHandle(handle),
    ),
  );
});
