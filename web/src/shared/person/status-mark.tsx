import type { Member } from '@atrium/sdk';

const PLAIN = '💬';

/** Beside a name: the emoji of what somebody is doing. Pointing at it says what. */
export function StatusMark({ status }: { status: Member['status'] | undefined }) {
  if (!status) return null;
  return (
    <span
      role="img"
      aria-label={`Status: ${status.text}`}
      data-tooltip={status.text}
      className="shrink-0 text-sm leading-none"
    >
      {status.emoji ?? PLAIN}
    </span>
  );
}
