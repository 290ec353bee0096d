import { describe, expect, it } from 'vitest';
import { checkReach } from './reach.ts';

const person = (name: string, handle: string, refusal?: string) => ({
  userId: handle,
  name,
  handle,
  refusal,
  isHere: refusal === undefined,
});

const people = [
  person('Berta Lind', 'blind'),
  person('Carla Ost', 'carla-ost'),
  person('Carla West', 'cw'),
  person('Dora Out', 'dora', 'has no access to this project'),
];
const check = (text: string, refusal?: string) =>
  checkReach(text, { people, answers: (slug) => ['recall', 'model'].includes(slug), refusal });

describe('a draft', () => {
  it('that reaches whom it mentions needs no word about it', () => {
    expect(check('@blind @recall, hello `@nobody` a@b.c @types/node')).toEqual({
      named: [],
      unreached: [],
      broadcast: null,
    });
  });

  it('says whom a name stands for', () => {
    const { named, unreached } = check('@Berta and @carla west');
    expect(named.map(({ person: { handle } }) => handle)).toEqual(['blind', 'cw']);
    expect(unreached).toEqual([]);
  });

  it.each([
    ['@Carla?', '2 people here are called Carla', ['carla-ost', 'cw']],
    ['@bert, look', '@bert notifies nobody here', ['blind']],
    ['@xyz', '@xyz notifies nobody here', []],
    ['@dora', 'Dora Out has no access to this project', []],
    ['@channel', '@channel notifies nobody', ['everyone']],
    ['@All', '@all notifies nobody', ['everyone']],
  ])('%s: %s', (text, why, handles) => {
    const [first] = check(text).unreached;
    expect([first?.why, first?.options.map(({ handle }) => handle)]).toEqual([why, handles]);
  });

  it('to a group reaches it, if that is allowed and nobody has the word as a name', () => {
    expect(check('@Here and `@everyone`')).toMatchObject({ unreached: [], broadcast: 'HERE' });
    expect(check('@here @everyone').broadcast).toBe('EVERYONE');
    const why = 'only admins can use it in this project';
    const { unreached, broadcast } = check('@everyone @all', why);
    expect(broadcast).toBe(null);
    expect(unreached).toEqual([
      { written: '@everyone', why: `@everyone notifies nobody: ${why}`, options: [] },
      { written: '@all', why: '@all notifies nobody', options: [] },
    ]);
    const holder = person('Everly One', 'everyone');
    const known = { people: [holder], answers: () => false };
    expect(checkReach('@everyone', known)).toEqual({ named: [], unreached: [], broadcast: null });
  });
});
