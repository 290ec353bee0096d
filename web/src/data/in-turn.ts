/** One tab after the other. Plain http has no locks, except on localhost. */
export async function inTurn(
  lock: string,
  signal: AbortSignal | undefined,
  run: () => Promise<void>,
): Promise<void> {
  const locks = navigator.locks as LockManager | undefined;
  await (locks ? locks.request(lock, signal ? { signal } : {}, run) : run());
}
