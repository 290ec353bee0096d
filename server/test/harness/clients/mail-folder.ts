import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simpleParser, type ParsedMail } from 'mailparser';
import { expect, vi } from 'vitest';
import type { Database } from '../../../src/db/types.ts';

export interface MailFolder {
  env: { DATA_DIR: string };
  /** The emails sent to this address until now, oldest first, once the server has none left to send. */
  to(db: Database, address: string): Promise<ParsedMail[]>;
  /** The recipients from the envelopes, in sending order. */
  all(db: Database): Promise<{ address: string; subject: string | undefined }[]>;
  remove(): Promise<void>;
}

/** Where a server without SMTP_URL writes its mail. */
export async function createMailFolder(): Promise<MailFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-mail-'));
  const read = async (db: Database, suffix: string) => {
    await vi.waitFor(async () => {
      expect(await db.query("SELECT kind FROM jobs WHERE kind LIKE '%mail'")).toEqual([]);
    }, 10_000);
    const files = await readdir(join(folder, 'mail')).catch(() => []);
    const own = files.filter((file) => file.endsWith(suffix)).toSorted();
    return Promise.all(
      own.map(async (file) => simpleParser(await readFile(join(folder, 'mail', file)))),
    );
  };
  return {
    env: { DATA_DIR: folder },
    to: (db, address) => read(db, `-${address}.eml`),
    async all(db) {
      const mails = await read(db, '.eml');
      return mails.map(({ to, subject }) => {
        const [first] = [to].flat();
        return { address: first?.value[0]?.address ?? '', subject };
      });
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
