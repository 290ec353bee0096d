const LONGEST = 32;
/** What agents answer to, and words for groups. */
const RESERVED = new Set(['model', 'recall', 'here', 'everyone']);

/** A handle that a name in ASCII suggests and nobody has, the first name if it is free. */
export function proposeHandle(slug: string, taken: ReadonlySet<string>): string | undefined {
  const [first = ''] = slug.split('-', 1);
  const whole = slug.slice(0, LONGEST).replace(/-+$/, '');
  const numbered = [2, 3, 4].map((number) => `${whole.slice(0, LONGEST - 2)}-${number}`);
  return [first, whole, ...numbered].find(
    (handle) =>
      handle.length >= 2 &&
      handle.length <= LONGEST &&
      !taken.has(handle) &&
      !RESERVED.has(handle) &&
      whole.length >= 2,
  );
}
