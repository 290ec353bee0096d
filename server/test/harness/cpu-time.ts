/** The time that this thread has computed, in milliseconds: how busy the machine is does not count. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** What one run takes of it, on average: the system counts in steps of some milliseconds. */
export function cpuMsOf(run: () => void): number {
  for (let warmUp = 0; warmUp < 3; warmUp++) run();
  const start = cpuMs();
  let runs = 0;
  do {
    run();
    runs++;
  } while (cpuMs() - start < 40);
  return (cpuMs() - start) / runs;
}
