import { describe, expect, it } from 'vitest';
import { createBreaker } from './breaker.ts';

function breakerAt(clock: { now: number }) {
  const changes: boolean[] = [];
  const breaker = createBreaker({
    failures: 2,
    openMs: 100,
    now: () => clock.now,
    onChange: (isOpen) => void changes.push(isOpen),
  });
  return { breaker, changes };
}

describe('the breaker', () => {
  it('opens after consecutive failures, not after scattered ones', () => {
    const { breaker, changes } = breakerAt({ now: 0 });
    breaker.failed();
    breaker.succeeded();
    breaker.failed();
    expect(breaker.mayTry()).toBe(true);
    breaker.failed();
    expect(breaker.mayTry()).toBe(false);
    expect(changes).toEqual([true]);
  });

  it('lets one caller try after a while, and closes if that succeeds', () => {
    const clock = { now: 0 };
    const { breaker, changes } = breakerAt(clock);
    breaker.failed();
    breaker.failed();
    clock.now = 100;
    expect([breaker.mayTry(), breaker.mayTry()]).toEqual([true, false]);
    breaker.failed();
    expect(breaker.mayTry()).toBe(false);
    clock.now = 200;
    expect(breaker.mayTry()).toBe(true);
    breaker.abandoned();
    expect(breaker.mayTry()).toBe(true);
    breaker.succeeded();
    expect([breaker.mayTry(), breaker.mayTry()]).toEqual([true, true]);
    expect(changes).toEqual([true, false]);
  });
});
