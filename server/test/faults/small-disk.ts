import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { asServiceUser, serviceCommand } from './service-user.ts';

/** A disk in memory, seen only by the programs that run on it. Needs no privileges. */
export interface SmallDisk {
  /** What goes before a command, so that it runs on the disk. */
  enter: readonly string[];
  run(command: readonly string[]): Promise<void>;
  fill(): Promise<void>;
  /** Removes what `fill` has written. */
  empty(): Promise<void>;
  remove(): Promise<void>;
}

export async function mountSmallDisk(folder: string, megabytes: number): Promise<SmallDisk> {
  // It ends with its standard input, so also if the tests are killed.
  const mount = `mount -t tmpfs -o size=${megabytes}m,mode=700 disk "$0" && echo mounted && read -r _`;
  const own = ['unshare', '--user', '--map-current-user', '--keep-caps', '--mount'];
  const [file = '', ...args] = serviceCommand([...own, 'sh', '-c', mount, folder]);
  const holder = spawn(file, args, { cwd: '/', stdio: ['pipe', 'pipe', 'inherit'] });
  const isMounted = await Promise.race([
    once(createInterface({ input: holder.stdout }), 'line').then(() => true),
    once(holder, 'exit').then(() => false),
  ]);
  if (!isMounted) throw new Error('this needs user namespaces, or root, to mount a small disk');

  const filler = join(folder, 'filler');
  const enter = [
    'nsenter',
    `--target=${holder.pid}`,
    '--user',
    '--mount',
    '--preserve-credentials',
  ];
  const run = (command: readonly string[]) => asServiceUser([...enter, '--', ...command]);
  return {
    enter: serviceCommand([...enter, '--']),
    run,
    fill: () => run(['sh', '-c', 'cat /dev/zero > "$0" 2>/dev/null || true', filler]),
    empty: () => run(['rm', filler]),
    async remove() {
      const gone = once(holder, 'exit');
      holder.stdin.end();
      await gone;
    },
  };
}
