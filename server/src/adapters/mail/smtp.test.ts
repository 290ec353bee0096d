import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { callbackify } from 'node:util';
import fc from 'fast-check';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { MailRefused, type Mailer, type OutgoingMail } from './mailer.ts';
import { createSmtpMailer } from './smtp.ts';

const LINK = 'https://atrium.example.com/invite/jK00eDcJqh5LUBfVaIKR84zcCNks3UIjEL6IJprELf5';
const FROM = { name: 'Büro "Atrium", Köln', address: 'atrium@example.com' };
const MAIL: OutgoingMail = {
  to: 'bob@example.org',
  subject: 'Zoë Müller lädt dich ein: 東京 🚀',
  text: `Grüße!\n\n${LINK}\n`,
  html: `<p>Grüße!</p><a href="${LINK}">Einladung</a>`,
  messageId: 'invitation-1',
  link: LINK,
};

interface Delivery {
  mail: ParsedMail;
  raw: string;
  from: string;
  to: string[];
  user: string | undefined;
  isSecure: boolean;
}

async function receive(stream: Readable, session: SMTPServerSession): Promise<Delivery> {
  const bytes = await buffer(stream);
  const { mailFrom, rcptTo } = session.envelope;
  return {
    mail: await simpleParser(bytes),
    raw: bytes.toString('latin1'),
    from: mailFrom ? mailFrom.address : '',
    to: rcptTo.map((recipient) => recipient.address),
    user: session.user,
    isSecure: session.secure,
  };
}

/** A real mail server on loopback. Without STARTTLS, which is tested separately below. */
async function startMailServer(options: SMTPServerOptions = {}, port = 0) {
  const deliveries: Delivery[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 50,
    onConnect: (_session, done) => {
      connections++;
      done();
    },
    onData(stream, session, done) {
      const store = callbackify(async () => {
        deliveries.push(await receive(stream, session));
      });
      store((error) => done(error));
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  const stop = () => new Promise<void>((resolve) => server.close(resolve));
  onTestFinished(stop);
  const bound = (server.server.address() as AddressInfo).port;
  return { deliveries, stop, port: bound, connections: () => connections };
}

function mailerFor(authority: string | number): Mailer {
  const url = typeof authority === 'number' ? `smtp://127.0.0.1:${authority}` : authority;
  const mailer = createSmtpMailer({ url, from: FROM });
  onTestFinished(() => mailer.close());
  return mailer;
}

async function failureOf(sending: Promise<void>): Promise<Error> {
  const error = await sending.then(
    () => undefined,
    (problem: unknown) => problem,
  );
  if (!(error instanceof Error)) throw new Error('the mail was sent');
  return error;
}

function refusal(code: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode: code });
}

describe('mail through SMTP', () => {
  it('arrives authenticated, with its sender, subject, both parts and the whole link', async () => {
    const server = await startMailServer({
      authOptional: false,
      onAuth: ({ username, password }, _session, done) =>
        username === 'me@example.com' && password === 'p#ss/wörd'
          ? done(null, { user: username })
          : done(refusal(535, 'no')),
    });
    const credentials = `${encodeURIComponent('me@example.com')}:${encodeURIComponent('p#ss/wörd')}`;
    await mailerFor(`smtp://${credentials}@127.0.0.1:${server.port}`).send(MAIL);

    const [delivery] = server.deliveries;
    expect(delivery).toMatchObject({
      user: 'me@example.com',
      from: 'atrium@example.com',
      to: ['bob@example.org'],
    });
    const mail = delivery?.mail;
    expect(mail?.from?.value).toEqual([FROM]);
    expect(mail?.to).toMatchObject({ value: [{ name: '', address: 'bob@example.org' }] });
    expect(mail?.subject).toBe(MAIL.subject);
    expect(mail?.text).toBe(MAIL.text);
    expect(mail?.html).toBe(MAIL.html);
    expect(mail?.messageId).toBe('<invitation-1@example.com>');
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated');
    expect(mail?.attachments).toEqual([]);
  });

  it('with a wrong password fails temporarily, without quoting it: the operator can fix that', async () => {
    let expected = 'new';
    const server = await startMailServer({
      authOptional: false,
      onAuth: ({ password }, _session, done) =>
        password === expected ? done(null, { user: 'x' }) : done(refusal(535, 'wrong password')),
    });
    const mailer = mailerFor(`smtp://x:hunter2@127.0.0.1:${server.port}`);
    const error = await failureOf(mailer.send(MAIL));
    expect(error).not.toBeInstanceOf(MailRefused);
    expect(error.message).toMatch(/535 wrong password/);
    expect(error.message).not.toMatch(/hunter2/);
    expected = 'hunter2';
    await mailer.send(MAIL);
    expect(server.deliveries).toHaveLength(1);
  });

  it('fails temporarily while the server is down, and is sent when it is back', async () => {
    const first = await startMailServer();
    await first.stop();
    const mailer = mailerFor(first.port);
    const error = await failureOf(mailer.send(MAIL));
    expect(error).not.toBeInstanceOf(MailRefused);
    expect(error.message).toMatch(/ECONNREFUSED/);
    const second = await startMailServer({}, first.port);
    await mailer.send(MAIL);
    await second.stop();
    expect(await failureOf(mailer.send(MAIL))).not.toBeInstanceOf(MailRefused);
    const third = await startMailServer({}, first.port);
    await mailer.send(MAIL);
    expect([second.deliveries.length, third.deliveries.length]).toEqual([1, 1]);
  });

  it('uses few connections, each several times', async () => {
    const server = await startMailServer();
    const mailer = mailerFor(server.port);
    await Promise.all(
      Array.from({ length: 30 }, (_, at) => mailer.send({ ...MAIL, to: `p${at}@example.org` })),
    );
    await mailer.send(MAIL);
    const recipients = server.deliveries.flatMap((delivery) => delivery.to);
    expect(new Set(recipients).size).toBe(31);
    expect(recipients).toHaveLength(31);
    expect(server.connections()).toBeLessThanOrEqual(3);
  });

  it('is finished before close resolves, and not started after', async () => {
    const server = await startMailServer({
      onRcptTo: (_address, _session, done) => setTimeout(done, 200),
    });
    const mailer = mailerFor(server.port);
    let isSent = false;
    const sending = mailer.send(MAIL).then(() => (isSent = true));
    await expect.poll(() => server.connections()).toBe(1);
    await mailer.close();
    expect(isSent).toBe(true);
    await sending;
    expect(await failureOf(mailer.send(MAIL))).not.toBeInstanceOf(MailRefused);
    expect(server.deliveries).toHaveLength(1);
  });

  it('finds its server by name', async () => {
    const server = await startMailServer();
    await mailerFor(`smtp://LOCALHOST:${server.port}`).send(MAIL);
    expect(server.deliveries).toHaveLength(1);
  });

  it('reaches addresses in other alphabets', async () => {
    const server = await startMailServer();
    const mailer = mailerFor(server.port);
    await mailer.send({ ...MAIL, to: 'bob@münchen.example' });
    await mailer.send({ ...MAIL, to: '用户@例子.example' });
    expect(server.deliveries[0]?.raw).toMatch(/^To: bob@xn--mnchen-3ya\.example\r$/m);
    expect(server.deliveries.map(({ to }) => to)).toEqual([
      ['bob@münchen.example'],
      ['用户@例子.example'],
    ]);
  });
});

describe('a refusal', () => {
  const refuse = (step: 'onMailFrom' | 'onRcptTo', code: number) =>
    startMailServer({
      [step]: (address: { address: string }, _session: unknown, done: (e?: Error) => void) =>
        address.address.startsWith('ok') ? done() : done(refusal(code, 'not here')),
    });

  it.each([550, 501, 553, 554])('of the recipient with %i is permanent', async (code) => {
    const server = await refuse('onRcptTo', code);
    const mailer = mailerFor(server.port);
    const error = await failureOf(mailer.send(MAIL));
    expect(error).toBeInstanceOf(MailRefused);
    expect(error.message).toBe(`the mail server refused this email: ${code} not here`);
    await mailer.send({ ...MAIL, to: 'ok@example.org' });
    expect(server.deliveries).toHaveLength(1);
  });

  it.each([
    ['onRcptTo', 450],
    ['onRcptTo', 421],
    ['onRcptTo', 530],
    ['onMailFrom', 451],
    ['onMailFrom', 550],
  ] as const)('%s with %i may pass', async (step, code) => {
    const server = await refuse(step, code);
    const error = await failureOf(mailerFor(server.port).send(MAIL));
    expect(error).not.toBeInstanceOf(MailRefused);
    expect(error.message).toMatch(new RegExp(`${code}`));
  });

  it.each([
    [554, true],
    [451, false],
  ])(
    'of the content with %i: permanent is %s, and the link is not quoted',
    async (code, isFinal) => {
      const token = LINK.slice(-43);
      const server = await startMailServer({
        onData(stream, _session, done) {
          stream.resume().on('end', () => done(refusal(code, `5.7.1 spam: ${LINK} and ${token}`)));
        },
      });
      const error = await failureOf(mailerFor(server.port).send(MAIL));
      expect(error instanceof MailRefused).toBe(isFinal);
      expect(error.message).toMatch(/5\.7\.1 spam: \[…\] and \[…\]$/);
      expect(`${error.stack} ${String(error.cause)}`).not.toMatch(token);
    },
  );

  it('comes from us, before anything is sent, if the address is invalid', async () => {
    const server = await startMailServer();
    const mailer = mailerFor(server.port);
    for (const to of [
      '',
      'bob',
      'bob@example.org\r\nBcc: eve@example.org',
      'bob@example.org\nRCPT TO:<eve@example.org>',
      'bob@example.org, eve@example.org',
      'Bob <bob@example.org>',
      '"bob\r\n"@example.org',
      `${'a'.repeat(300)}@example.org`,
    ]) {
      const error = await failureOf(mailer.send({ ...MAIL, to }));
      expect(error).toBeInstanceOf(MailRefused);
      expect(error.message).not.toMatch(/[\r\n]/);
    }
    for (const messageId of ['a b', 'a>\r\nBcc: eve@example.org', '']) {
      expect(await failureOf(mailer.send({ ...MAIL, messageId }))).toBeInstanceOf(MailRefused);
    }
    const html = 'x'.repeat(300_000);
    expect(await failureOf(mailer.send({ ...MAIL, html }))).toBeInstanceOf(MailRefused);
    expect(server.connections()).toBe(0);
  });
});

describe('headers', () => {
  it('are the same whatever the subject contains', async () => {
    const server = await startMailServer();
    const mailer = mailerFor(server.port);
    const lineBreak = fc.constantFrom('\r\n', '\n', '\r', '\u2028', '\0', '\t', 'Bcc: eve@x.org');
    const subject = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), lineBreak));
    const property = fc.asyncProperty(subject, async (pieces) => {
      await mailer.send({ ...MAIL, subject: `S ${pieces.join('')}` });
      const delivery = server.deliveries.at(-1);
      expect([...(delivery?.mail.headers.keys() ?? [])].toSorted()).toEqual([
        'auto-submitted',
        'content-type',
        'date',
        'from',
        'message-id',
        'mime-version',
        'subject',
        'to',
        'x-auto-response-suppress',
      ]);
      expect(delivery?.to).toEqual(['bob@example.org']);
    });
    await fc.assert(property, { numRuns: 50 });
  });

  it('contain a subject of bounded length, on one line', async () => {
    const server = await startMailServer();
    const subject = `Hi\r\nBcc: eve@example.org\r\n\r\n${'x'.repeat(1_000)}`;
    await mailerFor(server.port).send({ ...MAIL, subject });
    const { mail } = server.deliveries[0] as Delivery;
    expect(mail.subject).toMatch(/^Hi Bcc: eve@\u200bexample\.\u200borg x+…$/);
    expect(mail.subject?.replaceAll('\u200b', '')).toHaveLength(250);
    expect(mail.bcc).toBeUndefined();
  });
});

describe('an aborted mail', () => {
  it('is dropped at once, and other mails are not affected', async () => {
    const waiting = new Map<string, () => void>();
    const server = await startMailServer({
      onRcptTo: ({ address }, _session, done) => {
        if (address.startsWith('next')) done();
        else waiting.set(address, done);
      },
    });
    const mailer = mailerFor(server.port);
    const stopping = new AbortController();
    const aborted = failureOf(mailer.send(MAIL, { signal: stopping.signal }));
    const slow = mailer.send({ ...MAIL, to: 'slow@example.org' });
    await expect.poll(() => [...waiting.keys()].toSorted()).toEqual([MAIL.to, 'slow@example.org']);
    stopping.abort(new Error('the worker stops'));
    expect((await aborted).message).toBe('the worker stops');
    await mailer.send({ ...MAIL, to: 'next@example.org' });
    waiting.get('slow@example.org')?.();
    await slow;
    expect(server.deliveries.flatMap(({ to }) => to).toSorted()).toEqual([
      'next@example.org',
      'slow@example.org',
    ]);
    const late = mailer.send(MAIL, { signal: AbortSignal.abort(new Error('too late')) });
    expect((await failureOf(late)).message).toBe('too late');
  });
});

describe('encryption', () => {
  // The server says on each start that its certificate is for tests.
  beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue());
  afterEach(() => void vi.restoreAllMocks());

  it('is used if the server offers it; on loopback, whoever signed its certificate', async () => {
    const server = await startMailServer({ disabledCommands: [] });
    await mailerFor(server.port).send(MAIL);
    expect(server.deliveries[0]?.isSecure).toBe(true);
  });

  it('with an unknown certificate is refused if encryption is required', async () => {
    const implicit = await startMailServer({ secure: true });
    const starting = await startMailServer({ disabledCommands: [] });
    for (const url of [
      `smtps://127.0.0.1:${implicit.port}`,
      `smtp://127.0.0.1:${starting.port}?requireTLS=true`,
    ]) {
      const error = await failureOf(mailerFor(url).send(MAIL));
      expect(error).not.toBeInstanceOf(MailRefused);
      expect(error.message).toMatch(/certificate/);
    }
  });

  it('is never skipped if it is required: no password is sent', async () => {
    let attempts = 0;
    const server = await startMailServer({
      onAuth: (_auth, _session, done) => {
        attempts++;
        done(null, { user: 'x' });
      },
    });
    const url = `smtp://x:hunter2@127.0.0.1:${server.port}?requireTLS=true`;
    expect(await failureOf(mailerFor(url).send(MAIL))).not.toBeInstanceOf(MailRefused);
    expect([attempts, server.deliveries.length]).toEqual([0, 0]);
  });
});
