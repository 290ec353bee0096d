import fs from 'node:fs';

/** Loaded before the server: its disk is full once it has written this many bytes. */
let left = Number(process.env['DISK_BYTES']);
const { writeSync } = fs;
fs.writeSync = ((fd: number, data: NodeJS.ArrayBufferView, ...rest: number[]) => {
  const bytes = rest[1] ?? data.byteLength;
  if (bytes > left) throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
  left -= bytes;
  return writeSync(fd, data, ...rest);
}) as typeof writeSync;
