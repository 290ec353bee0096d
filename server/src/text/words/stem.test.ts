import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stem } from './stem.ts';

/** From Porter's paper of 1980, each taken through all of its steps, and from his sample vocabulary. */
const PAIRS = `
  caresses caress  ponies poni  ties ti  caress caress  cats cat
  feed feed  agreed agre  plastered plaster  bled bled  motoring motor  sing sing
  conflated conflat  troubled troubl  sized size  hopping hop  tanned tan  falling fall
  hissing hiss  fizzed fizz  failing fail  filing file
  happy happi  sky sky
  relational relat  conditional condit  rational ration  valenci valenc  hesitanci hesit
  digitizer digit  conformabli conform  radicalli radic  differentli differ  vileli vile
  analogousli analog  vietnamization vietnam  predication predic  operator oper
  feudalism feudal  decisiveness decis  hopefulness hope  callousness callous
  formaliti formal  sensitiviti sensit  sensibiliti sensibl
  triplicate triplic  formative form  formalize formal  electriciti electr  electrical electr
  hopeful hope  goodness good
  revival reviv  allowance allow  inference infer  airliner airlin  gyroscopic gyroscop
  adjustable adjust  defensible defens  irritant irrit  replacement replac  adjustment adjust
  dependent depend  adoption adopt  homologou homolog  communism commun  activate activ
  angulariti angular  homologous homolog  effective effect  bowdlerize bowdler
  probate probat  rate rate  cease ceas  controll control  roll roll
  generalizations gener  oscillators oscil  knightly knightli  abandonment abandon
  absolutely absolut  university univers  meetings meet  archaeology archaeolog
  possibly possibl  yes ye  say sai  enjoy enjoi  by by  toy toi  syzygy syzygi`
  .trim()
  .split(/\s+/);

describe('stem', () => {
  it.each(PAIRS.flatMap((word, at) => (at % 2 === 0 ? [[word, PAIRS[at + 1]]] : [])))(
    '%s: %s',
    (word, expected) => {
      expect(stem(word ?? '')).toBe(expected);
    },
  );

  it.each(['', 'a', 'is', 'größe', 'été', '42', 'v2', 'kö', 'Cats', 'naïve', 'a-b', '日本'])(
    'leaves %j as it is',
    (word) => {
      expect(stem(word)).toBe(word);
    },
  );

  it('never makes a word longer or empty', () => {
    const letters = fc.string({
      unit: fc.constantFrom(
        ...'a b c e i l o s t u z'.split(' '),
        'ing',
        'ed',
        'ational',
        'ness',
        'y',
      ),
      minLength: 1,
    });
    const property = fc.property(letters, (word) => {
      const stemmed = stem(word);
      expect(stemmed.length).toBeLessThanOrEqual(word.length + 1);
      expect(stemmed.length).toBeGreaterThan(0);
    });
    fc.assert(property, { numRuns: 2_000 });
  });
});
