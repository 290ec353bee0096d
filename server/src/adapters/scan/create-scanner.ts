import type { Config } from '../../config/config.ts';
import { createClamd } from './clamd.ts';
import type { Scanner } from './scanner.ts';

/** Undefined without CLAMD. */
export function createScanner({ files: { clamd } }: Config): Scanner | undefined {
  return clamd && createClamd(clamd);
}
