import { execFile } from 'node:child_process';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** PostgreSQL refuses to run as root. */
const SERVICE_USER = 'postgres';

export function serviceCommand(command: readonly string[]): readonly string[] {
  if (userInfo().uid !== 0) return command;
  const as = [`--reuid=${SERVICE_USER}`, `--regid=${SERVICE_USER}`, '--init-groups', '--'];
  return ['setpriv', ...as, ...command];
}

export async function asServiceUser(command: readonly string[]): Promise<void> {
  const [file = '', ...args] = serviceCommand(command);
  // A server keeps what it inherits, so nothing waits for its output.
  await run(file, args, { cwd: '/', env: { ...process.env, LC_ALL: 'C.UTF-8' } });
}
