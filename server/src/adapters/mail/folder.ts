import { join } from 'node:path';
import nodemailer from 'nodemailer';
import type { MailAddress } from '../../config/mail.ts';
import { linkNew, makeFolder, placeDurably } from '../../disk/durable-file.ts';
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
      await makeFolder(folder);
      const file = await writeNew(folder, mail.to, message as Buffer, now());
      const link = isTerminal && mail.link !== undefined ? new URL(mail.link).href : undefined;
      print(`Email to ${mail.to}: ${link === undefined ? file : `${link} (${file})`}\n`);
    },
    async close() {},
  };
}

/** Writes a temporary file first, so that nobody sees half an email. Linking never replaces a file. */
function writeNew(folder: string, to: string, mail: Buffer, time: number): Promise<string> {
  return placeDurably(folder, mail, async (temporary) => {
    for (let at = time; ; at++) {
      const file = join(folder, fileName(at, to));
      if (await linkNew(temporary, file)) return file;
    }
  });
}

/** An address may contain a slash, and in other alphabets be too long for a file name. */
function fileName(time: number, to: string): string {
  const stamp = new Date(time).toISOString().replaceAll(':', '-');
  return `${stamp}-${to.replace(/[^a-z0-9@._+-]/gi, '_').slice(0, 200)}.eml`;
}
