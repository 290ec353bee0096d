const NAMES = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const MOST_NAMED = 3;

/** "Ada is typing…", "Ada and Grace are typing…", or that several people are. */
export function nameTypists(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  if (names.length > MOST_NAMED) return 'Several people are typing…';
  return `${NAMES.format(names)} ${names.length === 1 ? 'is' : 'are'} typing…`;
}
