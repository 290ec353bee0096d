import { expect, it } from 'vitest';
import { fitInto } from './fit-into.ts';

const most = { width: 480, height: 360 };

it.each([
  [
    { width: 960, height: 480 },
    { width: 480, height: 240 },
  ],
  [
    { width: 300, height: 900 },
    { width: 120, height: 360 },
  ],
  [
    { width: 100, height: 80 },
    { width: 100, height: 80 },
  ],
  [
    { width: 1, height: 1 },
    { width: 48, height: 48 },
  ],
  [
    { width: 20_000, height: 10 },
    { width: 480, height: 48 },
  ],
])('%o is shown as %o', (image, shown) => expect(fitInto(image, most)).toEqual(shown));
