import { describe, expect, it } from 'vitest';
import { listFirst, listMatches, type PaletteEntry, type PaletteGroup } from './palette-groups.ts';

function entry(label: string, more: Partial<PaletteEntry> = {}): PaletteEntry {
  const kind = { Projects: 'Project', People: 'someone@example.com' }[more.group as string] ?? '';
  return {
    id: label,
    label,
    kind,
    group: 'Sessions',
    icon: null,
    run() {},
    ...more,
  };
}

const inWords = (groups: PaletteGroup[]) =>
  groups.map(({ name, entries }) => `${name}: ${entries.map(({ label }) => label).join(', ')}`);

describe('the palette', () => {
  const entries = [
    entry('Backend engineer', { path: '/p/hiring/s/1', isFirst: true }),
    entry('Bank holidays', { path: '/p/hiring/s/2', isFirst: true }),
    entry('Hiring', { group: 'Projects', path: '/p/hiring', isFirst: true }),
    entry('Bea Banker', { group: 'People' }),
    entry('Toggle theme', { group: 'Pages and actions', isFirst: true }),
    entry('Sign out', { group: 'Pages and actions' }),
  ];

  it('lists first where the person was last, and nothing twice', () => {
    const places = ['/p/gone', '/p/hiring', '/p/hiring/s/2'];
    expect(inWords(listFirst(entries, places))).toEqual([
      'Recent: Hiring, Bank holidays',
      'Sessions: Backend engineer',
      'Pages and actions: Toggle theme',
    ]);
  });

  it('lists the group with the best match first, and leaves out groups without one', () => {
    expect(inWords(listMatches(entries, 'bank'))).toEqual([
      'Sessions: Bank holidays',
      'People: Bea Banker',
    ]);
    expect(inWords(listMatches(entries, 'banker'))).toEqual(['People: Bea Banker']);
    expect(inWords(listMatches(entries, 'sign'))).toEqual(['Pages and actions: Sign out']);
  });

  it('lists at most five of a group', () => {
    const many = Array.from({ length: 9 }, (_, at) => entry(`Plan ${at}`));
    expect(listMatches(many, 'plan').map(({ entries: five }) => five.length)).toEqual([5]);
  });
});
