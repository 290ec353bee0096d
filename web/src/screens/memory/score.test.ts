import { expect, it } from 'vitest';
import { inPercent } from './score.tsx';

it.each([
  [0.5, '50%'],
  [0.006, '1%'],
  [0.003, 'under 1%'],
  [0, '0%'],
])('%d is shown as %s', (share, shown) => expect(inPercent(share)).toBe(shown));
