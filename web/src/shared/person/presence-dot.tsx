import type { ReactNode } from 'react';
import { usePresence } from '../../data/presence.ts';
import { cx } from '../../ui/text/cx.ts';

export const PRESENCE_NAMES = { ACTIVE: 'Active', AWAY: 'Away' } as const;

/** Filled while they are active, and a ring while they are away, so that it needs no colours to be told apart. */
export function PresenceDot({ presence }: { presence: keyof typeof PRESENCE_NAMES }) {
  return (
    <span
      aria-hidden
      className={cx(
        'inline-block size-2.5 shrink-0 rounded-full border-2',
        presence === 'ACTIVE' ? 'border-good bg-good' : 'border-muted bg-surface',
      )}
    />
  );
}

/** An avatar with the dot at its corner. */
export function WithPresence({ userId, children }: { userId: string; children: ReactNode }) {
  const presence = usePresence(userId);
  return (
    <span className="relative inline-flex shrink-0">
      {children}
      {presence && (
        <span className="absolute -right-0.5 -bottom-0.5 flex size-2.5 rounded-full ring-2 ring-surface">
          <PresenceDot presence={presence} />
          <span className="sr-only">{PRESENCE_NAMES[presence]}</span>
        </span>
      )}
    </span>
  );
}
