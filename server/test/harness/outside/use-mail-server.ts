import type { ParsedMail } from 'mailparser';
import { afterAll, beforeAll } from 'vitest';
import { signIn, type Browser } from '../clients/browser.ts';
import { addPerson, createTestOrg, type Person, type TestOrg } from '../factories.ts';
import { createMailFolder, type MailFolder } from '../clients/mail-folder.ts';
import { useTestServer, type UsedTestServer } from '../processes/use-test-server.ts';

export interface UsedMailServer extends UsedTestServer {
  readonly org: TestOrg;
  /** The emails sent to this address until now, oldest first. */
  mailTo(address: string): Promise<ParsedMail[]>;
  /** The recipients of all of them, from the envelopes, in sending order. */
  allMail(): ReturnType<MailFolder['all']>;
  /** A new MEMBER, just signed in with an email link. */
  signInSomeone(): Promise<{ person: Person; browser: Browser }>;
}

/** A server that sends its emails to a folder, with an org. */
export function useMailServer(env: Record<string, string> = {}): UsedMailServer {
  let mail: MailFolder;
  let org: TestOrg;
  // Hooks after the tests run in reverse order: the server stops first.
  afterAll(() => mail?.remove());
  const server = useTestServer(async () => {
    mail = await createMailFolder();
    return { worker: true, env: { ...mail.env, ...env } };
  });
  beforeAll(async () => {
    org = await createTestOrg(server.db);
  });
  return Object.create(
    server,
    Object.getOwnPropertyDescriptors({
      get org() {
        return org;
      },
      mailTo: (address: string) => mail.to(server.db, address),
      allMail: () => mail.all(server.db),
      async signInSomeone() {
        const person = await addPerson(server.db, org.orgId, 'MEMBER');
        return { person, browser: await signIn(server, person.email, { openedByLink: true }) };
      },
    }),
  ) as UsedMailServer;
}
