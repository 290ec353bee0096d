import { findPersonByEmail } from '../../src/features/identity/service.ts';
import { openSession } from '../../src/features/identity/web-sessions/service.ts';
import { createCaller, type Call } from './client.ts';
import type { TestServer } from './server.ts';

export interface Browser {
  /** `atrium_session=…`, as the browser sends it. */
  cookie: string;
  /** Calls as the app does: with the cookie, from our own origin. */
  call: Call;
}

/** Signed in as this person, without the way through links and limits. */
export async function signIn(
  server: Pick<TestServer, 'origin' | 'db'>,
  email: string,
  { openedByLink = false, userAgent = 'test' } = {},
): Promise<Browser> {
  const person = await findPersonByEmail(server.db, email);
  if (!person) throw new Error(`nobody has the address ${email}`);
  const token = await openSession(server.db, { userId: person.id, openedByLink, userAgent });
  return browserWith(server, `atrium_session=${token}`);
}

/** A page of ours, with this cookie or (empty) none. */
export function browserWith({ origin }: Pick<TestServer, 'origin'>, cookie = ''): Browser {
  const call = createCaller(origin);
  return {
    cookie,
    call: (method, path, options = {}) =>
      call(method, path, {
        ...options,
        headers: { origin, ...(cookie && { cookie }), ...options.headers },
      }),
  };
}

/** The cookie that an answer sets, as the browser sends it back; undefined if it sets none. */
export function cookieOf(reply: { headers: Headers }): string | undefined {
  return reply.headers.getSetCookie()[0]?.split(';', 1)[0];
}

/** The token of the link last made for this address, as its mail has it. */
export async function tokenFor(
  { db, tokens }: Pick<TestServer, 'db' | 'tokens'>,
  email: string,
  purpose: 'sign-in' | 'email-change' = 'sign-in',
): Promise<string> {
  const [link] = await db.query<{ id: string }>(
    `SELECT id FROM sign_in_links WHERE email_key = $1 AND purpose = $2
     ORDER BY created_at DESC LIMIT 1`,
    [email.toLowerCase(), purpose],
  );
  if (!link) throw new Error(`no link was made for ${email}`);
  return tokens.derive(purpose, link.id);
}
