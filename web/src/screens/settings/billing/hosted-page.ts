import { AtriumError, type Credits, type HostedPage } from '@atrium/sdk';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';

/** Plans, cards and payments are on the payment provider's pages. This is the way there and back. */

/** Opens the page that `ask` returns. `isPending` stays true until the browser leaves this page. */
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
    // "Back" may restore this page exactly as it was left, with a button that is still busy.
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

/** Only https, or one of our own pages, can be a payment page. */
export function readSafeUrl(url: string): URL {
  const parsed = URL.parse(url);
  const isSafe =
    parsed?.protocol === 'https:' ||
    (parsed?.protocol === 'http:' && parsed.origin === location.origin);
  if (parsed && isSafe) return parsed;
  throw new AtriumError(
    'The server returned a payment page at an address this page doesn’t trust. Check that PUBLIC_URL matches the address you use.',
    { code: 'CONNECTION_ERROR' },
  );
}

const CANCELLED = 'cancelled';

/** Where the provider's "Cancel" leads. */
export function cancelUrl(): string {
  return `${location.origin}/settings/billing?${CANCELLED}=1`;
}

export function wasCancelled(): boolean {
  return new URLSearchParams(location.search).has(CANCELLED);
}

const LEFT = 'atrium.left-to-pay';

function leaveFor(url: URL, before: Credits | undefined): void {
  if (before) sessionStorage.setItem(LEFT, JSON.stringify({ at: Date.now(), before }));
  location.assign(url);
}

const LONGEST_VISIT_MS = 60 * 60_000;

/** The credits before this tab left to pay. Undefined if it didn't. */
export function readCreditsBefore(): Credits | undefined {
  const note = sessionStorage.getItem(LEFT);
  if (!note) return undefined;
  const { at, before } = JSON.parse(note) as { at: number; before: Credits };
  return Date.now() - at < LONGEST_VISIT_MS ? before : undefined;
}

export function forgetCreditsBefore(): void {
  sessionStorage.removeItem(LEFT);
}
