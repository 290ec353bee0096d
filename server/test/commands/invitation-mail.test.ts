import type { AddressInfo } from 'node:net';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createCaller } from '../harness/clients/client.ts';
import { createTestOrg } from '../harness/factories.ts';
import { startTestServer } from '../harness/processes/server.ts';

const stops: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const stop of stops.toReversed()) await stop();
});

/** A real SMTP server that requires a password; resolves `received` with the first mail. */
async function startMailServer(port: number) {
  const received = Promise.withResolvers<ParsedMail>();
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      username === 'atrium' && password === 'hunter2'
        ? done(null, { user: 'atrium' })
        : done(new Error('no')),
    onData(stream, _session, done) {
      simpleParser(stream)
        .then(received.resolve, received.reject)
        .finally(() => done());
    },
  });
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port: (server.server.address() as AddressInfo).port, received: received.promise, stop };
}

describe('an invitation', () => {
  it('is emailed once the mail server is back, and the link in the email accepts it', async () => {
    const down = await startMailServer(0);
    await down.stop();
    const server = await startTestServer({
      worker: true,
      env: {
        SMTP_URL: `smtp://atrium:hunter2@127.0.0.1:${down.port}`,
        PUBLIC_URL: 'https://atrium.example.com',
      },
    });
    stops.push(() => server.stop());
    const call = createCaller(server.origin);
    const [org, home] = [await createTestOrg(server.db), await createTestOrg(server.db)];
    const body = { email: home.member.email, role: 'MEMBER' };
    const invited = await call('POST', `/api/org/${org.orgId}/invitations`, {
      key: org.owner.key,
      body,
    });
    expect(invited.status).toBe(201);

    await vi.waitFor(async () => {
      const failed = await server.db.query(
        'SELECT 1 AS found FROM jobs WHERE last_error IS NOT NULL',
      );
      expect(failed).toHaveLength(1);
    }, 30_000);
    const up = await startMailServer(down.port);
    stops.push(() => up.stop());
    const mail = await up.received;
    expect(mail.to).toMatchObject({ value: [{ address: home.member.email }] });
    const token = /https:\/\/atrium\.example\.com\/invite\/(\w+)/.exec(mail.text ?? '')?.[1];
    const accepted = await call('POST', `/api/invitations/${token}/accept`, {
      key: home.member.key,
    });
    expect(accepted.json.data).toMatchObject({
      userId: home.member.userId,
      org: { id: org.orgId },
    });
    expect(server.logLines.join('')).not.toContain(token);
    expect(server.logLines.join('')).not.toContain('hunter2');
  });
});
