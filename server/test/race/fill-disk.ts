import fs from 'node:fs';

/** Loaded before the server: its disk is full once the database has written this many bytes. */
let left = Number(process.env['DISK_BYTES']);
const { writeSync } = fs;
fs.writeSync = ((fd: number, data: NodeJS.ArrayBufferView | string, ...rest: number[]) => {
  // Log lines are strings.
  if (typeof data === 'string') return writeSync(fd, data);
  const bytes = rest[1] ?? data.byteLength;
  if (bytes > left) throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
  left -= bytes;
  return writeSync(fd, data, ...rest);
}) as typeof writeSync;
