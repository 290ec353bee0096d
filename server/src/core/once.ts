/** Does something when it is first asked for, and again only after a failure. */
export function once<Args extends unknown[], T>(
  work: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<T> {
  let result: Promise<T> | undefined;
  return (...args) =>
    (result ??= work(...args).catch((error: unknown) => {
      result = undefined;
      throw error;
    }));
}
