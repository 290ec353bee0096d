import { describe, expect, it } from 'vitest';
import { isSameFile, nameOfPasted, places, reopened, targetOf, type Upload } from './upload.ts';

const NOW = Date.parse('2027-03-01T12:00:00Z');
const HOUR = 3_600_000;
const upload = (changes: Partial<Upload> = {}): Upload => ({
  id: 'u',
  place: places.draft('s'),
  projectId: 'p',
  name: 'a.pdf',
  size: 3,
  mediaType: 'application/pdf',
  addedAt: NOW,
  fileId: 'f',
  state: 'waiting',
  error: null,
  ...changes,
});

describe('when the page is opened again', () => {
  it('an upload goes on where it was', () => {
    expect(reopened(upload(), NOW + 22 * HOUR)).toEqual(upload());
  });

  it('after a day, the server has purged what nobody attached, so it begins again', () => {
    const later = NOW + 24 * HOUR;
    expect(reopened(upload(), later)).toMatchObject({ fileId: null, state: 'waiting' });
    const stored = upload({ state: 'stored' });
    expect(reopened(stored, later)).toMatchObject({ fileId: null, state: 'waiting' });
  });

  it('after a day, no file appears on a task by surprise', () => {
    expect(reopened(upload({ place: places.task('t') }), NOW + 24 * HOUR)).toBeNull();
    expect(reopened(upload({ place: places.project('p') }), NOW + 24 * HOUR)).toBeNull();
  });
});

it('only files of tasks and Projects have somewhere to go by themselves', () => {
  expect(targetOf(upload({ place: places.task('t') }))).toEqual({ task: 't' });
  expect(targetOf(upload({ place: places.project('p') }))).toEqual({ project: 'p' });
  expect(targetOf(upload({ place: places.draft('s.m') }))).toBeNull();
  expect(targetOf(upload({ place: places.entry('e') }))).toBeNull();
});

it('a file that is chosen again is the same by name and size', () => {
  expect(isSameFile(upload(), { name: 'a.pdf', size: 3 })).toBe(true);
  expect(isSameFile(upload(), { name: 'a.pdf', size: 4 })).toBe(false);
});

it('pasted pictures can be told apart', () => {
  const at = new Date(2027, 0, 31, 9, 5, 7);
  expect(nameOfPasted('image.png', at)).toBe('Screenshot 2027-01-31 09.05.07.png');
  expect(nameOfPasted('plan.png', at)).toBe('plan.png');
});
