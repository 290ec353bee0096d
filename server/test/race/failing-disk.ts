import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Loaded before the server: from SIGUSR2 on, one operation fails for the files of the database's log. */
const operation = (process.env['FAILING_OPERATION'] ?? '') as 'fsyncSync' | 'writeSync';
const original = fs[operation] as (fd: number, ...args: unknown[]) => number;

process.on('SIGUSR2', () => {
  const failing = (fd: number, ...args: unknown[]) => {
    if (fs.readlinkSync(`/proc/self/fd/${fd}`).includes('/pg_wal/'))
      throw Object.assign(new Error(`EIO: i/o error, ${operation}`), { code: 'EIO' });
    return original(fd, ...args);
  };
  Object.assign(fs, { [operation]: failing });
  syncBuiltinESMExports();
  process.stdout.write('the disk fails\n');
});
