import { expect, it } from 'vitest';
import { findHiddenCharacter } from './hidden-characters.ts';

it.each([
  'Ada Lovelace',
  'Zoë O’Connor-Nuñez',
  'Ada\u0301',
  'می\u200cخواهم',
  'क्\u200dष',
  'ශ්\u200dරී',
  'שלום and مرحبا',
  '葛\u{e0100}城',
  '한글',
  '👨‍👩‍👧‍👦 home',
  '❤️‍🔥',
  '❤',
  '☎\ufe0e',
  '1️⃣',
  '👍🏽',
  '🧑🏽‍🚀',
  '👁‍🗨',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿 Leeds',
  '🇩🇪',
  'two\nlines',
])('is fine: %s', (text) => {
  expect(findHiddenCharacter(text)).toBeUndefined();
});

it.each([
  ['Ada\u202e', 'U+202E'],
  ['A\u200bda', 'U+200B'],
  ['\u2066Ada\u2069', 'U+2066'],
  ['\u061cAda', 'U+061C'],
  ['Ada\u200e', 'U+200E'],
  ['A\u00adda', 'U+00AD'],
  ['A\ufeffda', 'U+FEFF'],
  ['A\u2060da', 'U+2060'],
  ['\u3164', 'U+3164'],
  ['\u115f\u1160', 'U+115F'],
  ['Ada\u{e0041}', 'U+E0041'],
  ['A\u034fda', 'U+034F'],
  ['A\u0007da', 'U+0007'],
  // Selectors and joiners where nothing needs them.
  ['A\ufe0fda', 'U+FE0F'],
  ['A\ufe00da', 'U+FE00'],
  ['A\u{e0100}da', 'U+E0100'],
  ['A\u200dda', 'U+200D'],
  ['A\u200cda', 'U+200C'],
  ['\u200dAda', 'U+200D'],
  ['می\u200c', 'U+200C'],
  ['می\u200c\u200cخواهم', 'U+200C'],
  ['👍\u200d', 'U+200D'],
])('is refused: %j', (text, found) => {
  expect(findHiddenCharacter(text)).toBe(found);
});
