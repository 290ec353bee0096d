import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MailRefused, type Mailer, type OutgoingMail } from './mailer.ts';
import { createSmtpMailer, type SmtpTimeouts } from './smtp.ts';

const MAIL: OutgoingMail = { to: 'bob@example.org', subject: 'Hi', text: 'Hi', html: '<p>Hi</p>' };
/** The time limit for one mail differs clearly from the allowed silence, and has another message. */
const QUICK: SmtpTimeouts = { connectMs: 400, silenceMs: 400, totalMs: 60_000 };
const FROM = { name: 'Atrium', address: 'atrium@localhost' };

/** A socket that speaks as much of the protocol as `talk` does. */
async function startServer(talk: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}).resume());
    talk(socket);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

function mailerFor(port: number, timeouts?: SmtpTimeouts): Mailer {
  const url = `smtp://127.0.0.1:${port}`;
  const mailer = createSmtpMailer({ url, from: FROM, ...(timeouts && { timeouts }) });
  onTestFinished(() => mailer.close());
  return mailer;
}

async function failureOf(sending: Promise<void>): Promise<Error> {
  try {
    await sending;
  } catch (error) {
    if (!(error instanceof Error) || error instanceof MailRefused) throw error;
    return error;
  }
  throw new Error('the mail was sent');
}

/** Responds to each command until one begins with `last`. */
function answerUntil(last: string): (socket: Socket) => void {
  return (socket) => {
    socket.write('220 hello\r\n');
    createInterface({ input: socket }).on('line', (line) => {
      if (line.startsWith(last)) return;
      if (/^(EHLO|MAIL|RCPT)/.test(line)) socket.write('250 fine\r\n');
      if (line === 'DATA') socket.write('354 go on\r\n');
    });
  };
}

describe('a mail server that stalls', () => {
  it.each([
    ['never greets', () => {}],
    ['never answers EHLO', answerUntil('EHLO')],
    ['never answers RCPT', answerUntil('RCPT')],
    ['never takes the mail it asked for', answerUntil('.')],
  ])('and %s is abandoned after the allowed silence', async (_how, talk) => {
    const server = await startServer(talk);
    const { message } = await failureOf(mailerFor(server.port, QUICK).send(MAIL));
    expect(message).toMatch(/ETIMEDOUT/);
  });

  it('by trickling is abandoned after the time limit for one mail, and disconnected', async () => {
    const server = await startServer((socket) => {
      socket.write('220 hello\r\n');
      const timer = setInterval(() => socket.write('250-slowly\r\n'), 100);
      socket.on('close', () => clearInterval(timer));
    });
    const mailer = mailerFor(server.port, { connectMs: 10_000, silenceMs: 10_000, totalMs: 1_500 });
    const { message } = await failureOf(mailer.send(MAIL));
    expect(message).toMatch(/did not finish within 1500 ms/);
    await mailer.close();
    await expect.poll(() => [...server.sockets].every((each) => each.readableEnded)).toBe(true);
  });

  it('by hanging up before its greeting is abandoned soon', async () => {
    const server = await startServer((socket) => void socket.end());
    const { message } = await failureOf(mailerFor(server.port).send(MAIL));
    expect(message).toMatch(/^could not send the email \(ECONNECTION\)/);
    expect(server.sockets.size).toBeLessThanOrEqual(3);
  });

  it('does not delay startup: nothing connects until there is a mail to send', async () => {
    const server = await startServer(() => {});
    await mailerFor(server.port).close();
    expect(server.sockets.size).toBe(0);
  });

  it('or floods us with an endless reply is cut off', async () => {
    const server = await startServer((socket) => {
      const flood = () => {
        while (!socket.destroyed && socket.write('220-'.padEnd(60_000, 'x')));
      };
      socket.on('drain', flood);
      flood();
    });
    const { message } = await failureOf(mailerFor(server.port).send(MAIL));
    expect(message).toMatch(/maximum allowed size/);
  });
});
