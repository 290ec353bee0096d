import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { simpleParser } from 'mailparser';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useNewFolder } from '../../../test/harness/use-folder.ts';
import { readConfig } from '../../config/config.ts';
import { createLogger } from '../../core/logger.ts';
import { createMailer } from './create-mailer.ts';
import { createFolderMailer } from './folder.ts';
import { MailRefused, type OutgoingMail } from './mailer.ts';

const LINK = 'http://127.0.0.1:3000/invite/jK00eDcJqh5LUBfVaIKR84zcCNks3UIjEL6IJprELf5';
const FROM = { name: 'Atrium', address: 'atrium@localhost' };
const MAIL: OutgoingMail = {
  to: 'bob@example.org',
  subject: 'Zoë lädt dich ein',
  text: `Grüße!\n\n${LINK}\n`,
  html: `<p>Grüße!</p><a href="${LINK}">Einladung</a>`,
  messageId: 'invitation-1',
  link: LINK,
};

const root = useNewFolder();
let folder: string;
let printed: string[];

beforeEach(() => {
  folder = join(root.path, 'data', 'mail');
  printed = [];
});

const mailer = (now?: () => number, isTerminal = true) =>
  createFolderMailer({
    folder,
    from: FROM,
    isTerminal,
    print: (line) => void printed.push(line),
    ...(now && { now }),
  });

describe('mail into a folder', () => {
  it('prints no link without a terminal, only the file that contains it', async () => {
    await mailer(() => 0, false).send(MAIL);
    const file = join(folder, '1970-01-01T00-00-00.000Z-bob@example.org.eml');
    expect(printed).toEqual([`Email to bob@example.org: ${file}\n`]);
    expect(await readFile(file, 'utf8')).toContain('/invite/');
  });

  it('is a file that a mail program opens, readable only by its owner, and its link is printed', async () => {
    await mailer(() => Date.UTC(2026, 10, 20, 10, 11, 12, 345)).send(MAIL);
    const name = '2026-11-20T10-11-12.345Z-bob@example.org.eml';
    expect(await readdir(folder)).toEqual([name]);
    const file = join(folder, name);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect(printed).toEqual([`Email to bob@example.org: ${LINK} (${file})\n`]);

    const mail = await simpleParser(await readFile(file));
    expect(mail.from?.value).toEqual([FROM]);
    expect(mail.to).toMatchObject({ value: [{ address: 'bob@example.org' }] });
    expect(mail.subject).toBe(MAIL.subject);
    expect(mail.text).toBe(MAIL.text);
    expect(mail.html).toBe(MAIL.html);
    expect(mail.messageId).toBe('<invitation-1@localhost>');
  });

  it('never overwrites another, even one of the same moment', async () => {
    const one = mailer(() => 0);
    const other = mailer(() => 0);
    await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        (at % 2 ? one : other).send({ ...MAIL, subject: `Number ${at}` }),
      ),
    );
    const names = await readdir(folder);
    expect(names).toHaveLength(50);
    const subjects = await Promise.all(
      names.map(async (name) => (await simpleParser(await readFile(join(folder, name)))).subject),
    );
    expect(new Set(subjects).size).toBe(50);
    expect(new Set(printed).size).toBe(50);
  });

  it.each([
    ['a/b@example.org', 'a_b@example.org'],
    ['/etc/passwd@example.org', '_etc_passwd@example.org'],
    ["$(touch>x)'*?|@example.org".replace(/[()>]/g, ''), '_touchx____@example.org'],
    ['用户@例子.example', '__@__.example'],
  ])('to %s stays in the folder', async (to, shown) => {
    await mailer(() => 0).send({ ...MAIL, to });
    expect(await readdir(folder)).toEqual([`1970-01-01T00-00-00.000Z-${shown}.eml`]);
    expect(await readdir(root.path, { recursive: true })).toHaveLength(3);
  });

  it('has a file name that fits, however long the address', async () => {
    const to = `${'a'.repeat(64)}@${`${'用'.repeat(60)}.`.repeat(3)}org`;
    await mailer().send({ ...MAIL, to });
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('is refused if the address is invalid, and nothing is written or printed', async () => {
    for (const to of ['../../x', 'bob@example.org\r\nBcc: eve@example.org', 'a@b/../c', '']) {
      await expect(mailer().send({ ...MAIL, to })).rejects.toThrow(MailRefused);
    }
    expect(await readdir(root.path)).toEqual([]);
    expect(printed).toEqual([]);
  });

  it('is not written if aborted', async () => {
    const signal = AbortSignal.abort(new Error('the worker stops'));
    await expect(mailer().send(MAIL, { signal })).rejects.toThrow('the worker stops');
    expect(await readdir(root.path)).toEqual([]);
  });

  it('fails temporarily if the folder cannot be created', async () => {
    const sending = createFolderMailer({ folder: '/dev/null/mail', from: FROM }).send(MAIL);
    await expect(sending).rejects.toThrow(/ENOTDIR/);
    await expect(sending).rejects.not.toThrow(MailRefused);
  });
});

describe('createMailer', () => {
  it('writes to DATA_DIR/mail without SMTP_URL, with no link in a piped stdout or in the log', async () => {
    const lines: string[] = [];
    const log = createLogger('trace', { write: (line: string) => void lines.push(line) });
    const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      const mailer = createMailer(readConfig({ DATA_DIR: join(root.path, 'data') }), log);
      await mailer.send(MAIL);
      await mailer.close();
      const shown = stdout.mock.calls.flat().join('');
      expect(shown).toContain(`Email to bob@example.org: ${folder}`);
      expect(shown).not.toContain('/invite/');
    } finally {
      stdout.mockRestore();
    }
    expect(await readdir(folder)).toHaveLength(1);
    expect(lines.join('')).toContain('SMTP_URL is not set');
    expect(lines.join('')).not.toContain('/invite/');
  });

  it('uses SMTP_URL when it is set, and logs no password', async () => {
    const lines: string[] = [];
    const log = createLogger('trace', { write: (line: string) => void lines.push(line) });
    const mailer = createMailer(readConfig({ SMTP_URL: 'smtp://me:hunter2@127.0.0.1:1' }), log);
    await expect(mailer.send(MAIL)).rejects.toThrow(/ECONNREFUSED/);
    await mailer.close();
    expect(lines.join('')).toContain('127.0.0.1:1');
    expect(lines.join('')).not.toContain('hunter2');
  });
});
