import { AtriumError, type Credits, type HostedPage } from '@atrium/sdk';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';

/** Plans, cards and payments are on pages of the payment provider: the way there, and back. */

/** Opens the page that `ask` gives; its `isPending` holds until this page is left. */
export function useHostedPage<Input>(ask: (input: Input) => Promise<HostedPage>, before?: Credits) {
  const mutation = useMutation({
    mutationFn: async (input: Input) => {
      const { url } = await ask(input);
      leaveFor(readSafeUrl(url), before);
      return new Promise<never>(() => {});
    },
  });
  const { reset } = mutation;
  useEffect(() => {
    // "Back" may bring this very page again, as it was left: with a button that is still busy.
    const onShow = (event: PageTransitionEvent) => {
      if (!event.persisted) return;
      forgetCreditsBefore();
      reset();
    };
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, [reset]);
  return mutation;
}

/** Anything but https, or a page of our own, is no payment page. */
export function readSafeUrl(url: string): URL {
  const parsed = URL.parse(url);
  const isSafe =
    parsed?.protocol === 'https:' ||
    (parsed?.protocol === 'http:' && parsed.origin === location.origin);
  if (parsed && isSafe) return parsed;
  throw new AtriumError(
    'The server named a payment page at an address that this page does not trust. Does PUBLIC_URL match the address you use?',
    { code: 'CONNECTION_ERROR' },
  );
}

const SANDBOX = 'atrium.sandbox';
const LEFT = 'atrium.left-to-pay';

/** The server's own sandbox is known by its pages; what was seen last is remembered. */
export function isSandbox(): boolean {
  return localStorage.getItem(SANDBOX) === 'yes';
}

function leaveFor(url: URL, before: Credits | undefined): void {
  const isSandboxPage = url.pathname.startsWith('/sandbox/');
  localStorage.setItem(SANDBOX, isSandboxPage ? 'yes' : 'no');
  if (before) sessionStorage.setItem(LEFT, JSON.stringify({ at: Date.now(), before }));
  location.assign(url);
}

const LONGEST_VISIT_MS = 60 * 60_000;

/** What the credits were before this tab went to pay; undefined where it did not. */
export function readCreditsBefore(): Credits | undefined {
  const note = sessionStorage.getItem(LEFT);
  if (!note) return undefined;
  const { at, before } = JSON.parse(note) as { at: number; before: Credits };
  return Date.now() - at < LONGEST_VISIT_MS ? before : undefined;
}

export function forgetCreditsBefore(): void {
  sessionStorage.removeItem(LEFT);
}
