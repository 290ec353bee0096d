import { describe, expect, it } from 'vitest';
import { splitQuery, takeOperators, type FindMeanings } from './operators.ts';

const PEOPLE = ['Ana', 'Anabel', 'Bo'];
const findMeanings: FindMeanings = ({ name, value }) =>
  name === 'from'
    ? PEOPLE.filter((person) => person.toLowerCase().startsWith(value.toLowerCase())).map(
        (label) => ({ label, aliases: [`@${label}`], changes: { author: label } }),
      )
    : [];

describe('splitQuery', () => {
  it('tells operators from words, and finished ones from what is still being typed', () => {
    const { words, operators } = splitQuery('From:ana old  in:"The roof" chimney has:li');
    expect(words).toBe('old chimney');
    expect(operators).toEqual([
      { name: 'from', value: 'ana', text: 'From:ana', isFinished: true },
      { name: 'in', value: 'The roof', text: 'in:"The roof"', isFinished: true },
      { name: 'has', value: 'li', text: 'has:li', isFinished: false },
    ]);
    expect(splitQuery('in:"The ro').operators[0]).toMatchObject({
      value: 'The ro',
      isFinished: false,
    });
  });

  it('leaves words with a colon alone', () => {
    expect(splitQuery('https://x.y wherefrom:ana "a phrase"')).toEqual({
      words: 'https://x.y wherefrom:ana "a phrase"',
      operators: [],
    });
  });
});

describe('takeOperators', () => {
  const take = (typed: string) => takeOperators(typed, findMeanings);

  it('takes what is finished and has one meaning', () => {
    expect(take('from:bo chimney')).toEqual({ author: 'Bo', q: 'chimney' });
    expect(take('chimney from:b ')).toEqual({ author: 'Bo', q: 'chimney ' });
    expect(take('from:ana ')).toEqual({ author: 'Ana', q: undefined });
    expect(take('from:@anabel x')).toBeUndefined();
  });

  it('leaves what is not finished, means several, or nothing', () => {
    expect(take('chimney')).toBeUndefined();
    expect(take('from:bo')).toBeUndefined();
    expect(take('from:a chimney')).toBeUndefined();
    expect(take('from:zoe chimney')).toBeUndefined();
  });
});
