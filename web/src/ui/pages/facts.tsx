import type { ComponentProps, ReactNode } from 'react';
import { toSentence } from '../text/sentence.ts';

/** Names and values, side by side if there is room. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-1 gap-x-4 gap-y-1 text-sm sm:grid-cols-[minmax(8rem,auto)_1fr] [&>dd]:mb-2 sm:[&>dd]:mb-0 [&>dt]:text-muted">
      {children}
    </dl>
  );
}

export function Fact({ name, ...value }: { name: string } & ComponentProps<'dd'>) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="min-w-0 wrap-anywhere" {...value} />
    </>
  );
}

/** Why a connection last failed. */
export function LastError({ text }: { text: string | null }) {
  if (!text) return null;
  return (
    <Fact name="Last error" className="text-danger wrap-anywhere">
      {toSentence(text)}
    </Fact>
  );
}
