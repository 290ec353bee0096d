/** In paths, direct conversations belong to the Project with this slug. People can't give it to theirs. */
export const DIRECT_SLUG = 'direct';

/**
 * Whether Project p is one that people made. The other kind holds an organisation's direct conversations: every
 * member belongs to it, but it has nothing else, and no list shows it. The only place that decides this.
 */
export const IS_OWN_PROJECT = 'NOT p.is_direct';

/** Whether session s is a direct conversation, whose people never change. The only place that decides this. */
export const IS_DIRECT = 's.direct_key IS NOT NULL';

/** The same for every order of the people, and for no others. */
export function directKeyOf(userIds: readonly string[]): string {
  return userIds.toSorted().join(' ');
}
