import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLocalBus, type LocalBus } from './local-bus.ts';
import { createPresenceBoard, type PresenceBoard } from './presence-board.ts';
import type { PresenceChange } from './present-people.ts';

const PAGE = ['org', 'ada', 'laptop'] as const;
const PHONE = ['org', 'ada', 'phone'] as const;

let bus: LocalBus;
let board: PresenceBoard;
let changes: PresenceChange['presence'][];
beforeEach(() => {
  vi.useFakeTimers();
  bus = createLocalBus();
  board = createPresenceBoard(bus);
  changes = [];
  board.listen(({ presence }) => changes.push(presence));
});
afterEach(() => {
  board.close();
  vi.useRealTimers();
});

const seconds = (count: number) => vi.advanceTimersByTime(count * 1_000);

describe('a person', () => {
  it('is there while a page is open, and for a minute after the last one', () => {
    expect(board.of('org', 'ada')).toBe('OFFLINE');
    const leave = board.connect(PAGE, 'ACTIVE');
    const leaveAgain = board.connect(PAGE, 'ACTIVE');
    leave();
    seconds(300);
    expect(board.of('org', 'ada')).toBe('ACTIVE');
    leaveAgain();
    seconds(55);
    expect(board.list('org')).toEqual(['ada']);
    seconds(15);
    expect(board.of('org', 'ada')).toBe('OFFLINE');
    expect(board.list('org')).toEqual([]);
    expect(changes).toEqual(['ACTIVE', 'OFFLINE']);
  });

  it('who reloads the page was never gone', () => {
    board.connect(PAGE, 'ACTIVE')();
    seconds(30);
    board.connect(PAGE, 'ACTIVE');
    seconds(300);
    expect(changes).toEqual(['ACTIVE']);
  });

  it('is away once every browser says so', () => {
    board.connect(PAGE, 'ACTIVE');
    board.connect(PHONE, 'AWAY');
    board.report('ada', 'laptop', 'AWAY');
    board.report('ada', 'phone', 'ACTIVE');
    board.report('bob', 'phone', 'AWAY');
    expect(changes).toEqual(['ACTIVE', 'AWAY', 'ACTIVE']);
  });

  it('is the same in every org that the browser has open, and in no other', () => {
    board.connect(PAGE, 'ACTIVE');
    board.connect(['other', 'ada', 'laptop'], 'ACTIVE');
    board.report('ada', 'laptop', 'AWAY');
    expect(['org', 'other', 'third'].map((orgId) => board.of(orgId, 'ada'))).toEqual([
      'AWAY',
      'AWAY',
      'OFFLINE',
    ]);
  });
});

describe('another process', () => {
  it('knows who was there before it started, and in which state', () => {
    board.connect(PAGE, 'ACTIVE');
    board.report('ada', 'laptop', 'AWAY');
    const late = createPresenceBoard(bus);
    expect(late.of('org', 'ada')).toBe('OFFLINE');
    bus.gap();
    expect(late.of('org', 'ada')).toBe('AWAY');
    late.close();
  });

  it('that dies takes its pages with it', () => {
    const dying = createPresenceBoard(bus);
    dying.connect(PHONE, 'ACTIVE');
    seconds(120);
    expect(board.of('org', 'ada')).toBe('ACTIVE');
    dying.close();
    seconds(120);
    expect(changes).toEqual(['ACTIVE', 'OFFLINE']);
  });

  it('says again what it has when lines were lost, also what has gone', () => {
    const other = createPresenceBoard(bus);
    const leave = other.connect(PHONE, 'ACTIVE');
    other.connect(['org', 'bob', 'tablet'], 'ACTIVE');
    const deaf = vi.spyOn(bus, 'publish').mockImplementation(() => {});
    leave();
    deaf.mockRestore();
    bus.gap();
    seconds(70);
    expect(board.list('org')).toEqual(['bob']);
    other.close();
  });
});
