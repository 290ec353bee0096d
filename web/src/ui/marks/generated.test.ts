import { expect, it } from 'vitest';
import { hueOf, patternOf } from './generated.ts';

const AGENTS = ['recall', 'support', 'reviewer', 'ada', 'gpt-5', 'claude', 'helper', 'release'];

it('gives agents different patterns and several hues, the same every time', () => {
  expect(new Set(AGENTS.map(patternOf)).size).toBe(AGENTS.length);
  expect(new Set(AGENTS.map(hueOf)).size).toBeGreaterThan(3);
  expect(AGENTS.map(hueOf)).toEqual(AGENTS.map(hueOf));
  for (const agent of AGENTS) expect(hueOf(agent) % 30).toBe(0);
});

it('mirrors the pattern', () => {
  const squares = new Set([...patternOf('recall').matchAll(/M(\d) (\d)/g)].map(([at]) => at));
  for (const at of squares) {
    const [x = 0, y = 0] = at.slice(1).split(' ').map(Number);
    expect(squares).toContain(`M${4 - x} ${y}`);
  }
});
