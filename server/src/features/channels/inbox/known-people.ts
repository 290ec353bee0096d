import type { ChatUser } from '../../../adapters/chat/provider.ts';

/** What the chat system says about an address counts for this long. */
const KEPT_MS = 5 * 60_000;
const MOST_KEPT = 2_000;

/** People of one chat system, as it described them in the last minutes. */
export function createPeople() {
  const known = new Map<string, { user: ChatUser; until: number }>();
  return {
    async find(userId: string, load: () => Promise<ChatUser>): Promise<ChatUser> {
      const found = known.get(userId);
      if (found && found.until > performance.now()) return found.user;
      // Counted from before it was asked.
      const until = performance.now() + KEPT_MS;
      const user = await load();
      if (known.size >= MOST_KEPT) known.clear();
      if (user.isInDoubt !== true) known.set(userId, { user, until });
      return user;
    },
    /** Everybody is asked for again. */
    forget: () => known.clear(),
  };
}
