import type { Message } from '@atrium/sdk';

/** The version before or after the one that is shown, if there is one. */
export function stepOf({ branches }: Message, step: 1 | -1): string | undefined {
  const at = branches.findIndex(({ active }) => active);
  return at < 0 ? undefined : branches[at + step]?.messageId;
}
