import type { ChatUser } from '../../../adapters/chat/provider.ts';

/** People of one chat system, as it described them in the last minutes. */
export interface People {
  find(userId: string, load: () => Promise<ChatUser>): Promise<ChatUser>;
}

const KEPT_MS = 5 * 60_000;
const MOST_KEPT = 2_000;

export function createPeople(): People {
  const known = new Map<string, { user: ChatUser; until: number }>();
  return {
    async find(userId, load) {
      const found = known.get(userId);
      if (found && found.until > performance.now()) return found.user;
      const user = await load();
      if (known.size >= MOST_KEPT) known.clear();
      known.set(userId, { user, until: performance.now() + KEPT_MS });
      return user;
    },
  };
}
