import { randomUUID } from 'node:crypto';
import { link as linkFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import type { MailAddress } from '../../config/mail.ts';
import type { Mailer } from './mailer.ts';
import { composeMessage } from './message.ts';

export interface FolderOptions {
  folder: string;
  from: MailAddress;
  /** Default: standard output. */
  print?: (line: string) => void;
  /** Links are secret, so they are printed only to a terminal and never to a log. */
  isTerminal?: boolean;
  now?: () => number;
}

/** Writes each email to a file that any mail program can open. A terminal also shows its link. */
export function createFolderMailer(options: FolderOptions): Mailer {
  const { folder, from, now = Date.now, isTerminal = process.stdout.isTTY } = options;
  const print = options.print ?? ((line) => void process.stdout.write(line));
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true });

  return {
    async send(mail, { signal } = {}) {
      const { message } = await composer.sendMail(composeMessage(mail, from));
      signal?.throwIfAborted();
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = await writeNew(folder, mail.to, message as Buffer, now());
      const link = isTerminal && mail.link !== undefined ? new URL(mail.link).href : undefined;
      print(`Email to ${mail.to}: ${link === undefined ? file : `${link} (${file})`}\n`);
    },
    async close() {},
  };
}

/** Writes a temporary file first, so that nobody sees half an email. Linking never replaces a file. */
async function writeNew(folder: string, to: string, mail: Buffer, time: number): Promise<string> {
  const draft = join(folder, `.${randomUUID()}.tmp`);
  try {
    await writeFile(draft, mail, { mode: 0o600, flag: 'wx' });
    for (let at = time; ; at++) {
      const file = join(folder, fileName(at, to));
      if (await tryLink(draft, file)) return file;
    }
  } finally {
    await rm(draft, { force: true });
  }
}

/** An address may contain a slash, and in other alphabets be too long for a file name. */
function fileName(time: number, to: string): string {
  const stamp = new Date(time).toISOString().replaceAll(':', '-');
  return `${stamp}-${to.replace(/[^a-z0-9@._+-]/gi, '_').slice(0, 200)}.eml`;
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await linkFile(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
