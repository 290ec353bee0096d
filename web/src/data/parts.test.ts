import { describe, expect, it } from 'vitest';
import { lazyPart, preloadParts } from './parts.ts';

const Screen = () => null;

/** A part whose code can't be loaded the first `failures` times. */
function makePart(failures: number) {
  let tries = 0;
  const part = lazyPart(
    () =>
      ++tries > failures ? Promise.resolve({ Screen }) : Promise.reject(new TypeError('Offline')),
    'Screen',
  );
  return { part, tries: () => tries };
}

describe('a part of the app', () => {
  it('is loaded once, however often it is asked for', async () => {
    const { part, tries } = makePart(0);
    await Promise.all([part.preload(), part.preload()]);
    await preloadParts(new AbortController().signal);
    expect(tries()).toBe(1);
  });

  it('that could not be loaded ahead is loaded the next time', async () => {
    const { part, tries } = makePart(1);
    await part.preload();
    await part.preload();
    await part.preload();
    expect(tries()).toBe(2);
  });

  it('is not loaded ahead any more once that is stopped', async () => {
    const { tries } = makePart(0);
    await preloadParts(AbortSignal.abort());
    expect(tries()).toBe(0);
  });
});
