import { closeSync, openSync, readSync } from 'node:fs';
import { ConfigError } from './config-error.ts';
import { errorCode } from '../core/error-code.ts';

export type Environment = Record<string, string | undefined>;

/** Reads environment variables. An empty value counts as not set. */
export interface Variables {
  read: (name: string) => string | undefined;
  /** For a variable whose value is, or may contain, a secret: `NAME_FILE` may name a file that holds it. */
  readSecret: (name: string) => string | undefined;
}

const MAX_SECRET_BYTES = 64 * 1024;

export function variablesOf(env: Environment): Variables {
  const read = (name: string) => env[name]?.trim() || undefined;
  return {
    read,
    readSecret(name) {
      const value = read(name);
      const variable = `${name}_FILE`;
      const path = read(variable);
      if (path === undefined) return value;
      if (value === undefined) return readSecretFile(variable, path);
      throw new ConfigError(variable, `is set together with ${name}; set only one of them`);
    },
  };
}

/** The path is not quoted either, because people set `NAME_FILE` to the secret itself by mistake. */
function readSecretFile(variable: string, path: string): string {
  let bytes: Buffer;
  try {
    bytes = readStart(path, MAX_SECRET_BYTES + 1);
  } catch (error) {
    const code = errorCode(error) ?? 'unknown';
    throw new ConfigError(variable, `cannot read the file that it names (${code})`);
  }
  if (bytes.length > MAX_SECRET_BYTES) {
    throw new ConfigError(variable, 'names a file of more than 64 KiB, which is not a secret');
  }
  const text = bytes.toString('utf8').trim();
  if (text === '') throw new ConfigError(variable, 'names an empty file');
  return text;
}

/** Not more than that, because the path may be a device without an end. */
export function readStart(path: string, size: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(size);
    let length = 0;
    for (let count = -1; count !== 0; length += count) {
      count = readSync(file, bytes, length, size - length, null);
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}
