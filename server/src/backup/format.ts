import { hash } from 'node:crypto';
import { z } from 'zod';
import { tryParseJson } from '../core/try-parse-json.ts';
import { BackupError, damaged } from './backup-error.ts';

/**
 * An archive is text in lines: a header, then each table (its columns, a JSON array for each row, and its
 * totals), the sequences, each file (its key, its bytes in base64, and its totals), and the end. The text is
 * compressed, and encrypted if a key was given.
 */
export const FORMAT = 1;

const header = z.object({
  atriumBackup: z.literal(FORMAT),
  createdAt: z.string(),
  migrations: z.array(
    z.object({ version: z.number().int(), name: z.string(), checksum: z.string() }),
  ),
});
const section = z.union([
  z.object({ table: z.string(), columns: z.array(z.string()) }),
  z.object({ sequences: z.record(z.string(), z.number().int().nullable()) }),
  z.object({ file: z.string(), size: z.number().int(), sha256: z.string().nullable() }),
  z.object({ end: z.literal(true) }),
]);
const tableTotals = z.object({ rows: z.number().int(), checksum: z.string() });
const fileEnd = z.union([
  z.object({ bytes: z.number().int(), sha256: z.string() }),
  /** It was deleted while the backup ran. */
  z.object({ missing: z.literal(true) }),
]);

export type Header = z.infer<typeof header>;
export type Section = z.infer<typeof section>;
export type TableTotals = z.infer<typeof tableTotals>;
export type FileEnd = z.infer<typeof fileEnd>;

export function parseHeader(line: string | undefined): Header {
  const value = tryParseJson(line ?? '') as { atriumBackup?: unknown } | undefined;
  const found = header.safeParse(value);
  if (found.success) return found.data;
  const version = value?.atriumBackup;
  if (typeof version === 'number' && version > FORMAT) {
    throw new BackupError(
      `the archive has format ${version}, and this version of Atrium reads format ${FORMAT}; use a newer version`,
    );
  }
  throw notAnArchive();
}

export function parseSection(line: string | undefined): Section {
  const found = section.safeParse(tryParseJson(line ?? ''));
  if (!found.success) throw damaged('the next table, or the end, is missing');
  return found.data;
}

export function parseTotals(line: string | undefined): TableTotals {
  const found = tableTotals.safeParse(tryParseJson(line ?? ''));
  if (!found.success) throw damaged('a table is not followed by its totals');
  return found.data;
}

export function parseFileEnd(line: string | undefined): FileEnd {
  const found = fileEnd.safeParse(tryParseJson(line ?? ''));
  if (!found.success) throw damaged('the bytes of a file are not followed by their checksum');
  return found.data;
}

/** A line of bytes begins with this, and no other line does. */
export const BYTES = '=';

export function isBytes(line: string | undefined): line is string {
  return line !== undefined && line.startsWith(BYTES);
}

export function isRow(line: string | undefined): line is string {
  return line !== undefined && line.startsWith('[');
}

export function notAnArchive(): BackupError {
  return new BackupError('this is not an Atrium backup');
}

const MODULUS = 1n << 256n;

/** Counts rows and sums their hashes. The sum does not depend on the order in which a database returns them. */
export class TableSum {
  rows = 0;
  private sum = 0n;

  add(row: string): void {
    this.rows++;
    this.sum = (this.sum + BigInt(`0x${hash('sha256', row)}`)) % MODULUS;
  }

  totals(): TableTotals {
    return { rows: this.rows, checksum: this.sum.toString(16).padStart(64, '0') };
  }
}
