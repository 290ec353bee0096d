import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readSafeUrl } from './hosted-page.ts';

describe('the address of a payment page', () => {
  beforeEach(() => vi.stubGlobal('location', { origin: 'http://127.0.0.1:3000' }));
  afterEach(() => void vi.unstubAllGlobals());

  it('is https, or one of our own pages', () => {
    expect(readSafeUrl('https://checkout.stripe.com/c/1').host).toBe('checkout.stripe.com');
    expect(readSafeUrl('http://127.0.0.1:3000/sandbox/checkout/1').pathname).toMatch(/^\/sandbox/);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'http://evil.example/',
    '//evil.example',
    '',
  ])('is not %j', (url) => expect(() => readSafeUrl(url)).toThrow(/doesn’t trust/));
});
