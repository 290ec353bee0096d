import { spawnSync } from 'node:child_process';
import { startCommand, type Finished } from '../processes/command.ts';

type Environment = Record<string, string>;

/** Runs a command with a limit on the size of files, in blocks of 512 bytes. Writes beyond it fail as on a full disk. */
export function runWithFileLimit(
  blocks: number,
  args: string[],
  env: Environment,
): Promise<Finished> {
  return startCommand(args, env, ['sh', '-c', `ulimit -f ${blocks} && exec "$@"`, 'sh']).finished;
}

/** In a mount namespace of its own, as root or as a user whom the system lets have one. */
const OWN_MOUNTS = ['unshare', '--user', '--map-root-user', '--mount'];

export const CAN_MOUNT =
  spawnSync('unshare', [...OWN_MOUNTS.slice(1), 'mount', '-t', 'tmpfs', 'disk', '/tmp']).status ===
  0;

/** Runs a command that has a small disk of its own, in memory, at `folder`. */
export function runOnDisk(
  folder: string,
  options: string,
  args: string[],
  env: Environment,
): Promise<Finished> {
  const mount = `mount -t tmpfs -o ${options} disk "$0" && exec "$@"`;
  return startCommand(args, env, [...OWN_MOUNTS, 'sh', '-c', mount, folder]).finished;
}
