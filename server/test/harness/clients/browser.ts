import { findPersonByEmail } from '../../../src/features/identity/service.ts';
import { openSession } from '../../../src/features/identity/web-sessions/service.ts';
import { createCaller, type Call } from './client.ts';
import type { TestServer } from '../processes/server.ts';

export interface Browser {
  /** `atrium_session=…`, as the browser sends it. */
  cookie: string;
  /** Calls like the web app: with the cookie, from our own origin. */
  call: Call;
}

/** Signs in as this person, without links and limits. */
export async function signIn(
  server: Pick<TestServer, 'origin' | 'db'>,
  email: string,
  { openedByLink = false, userAgent = 'test' } = {},
): Promise<Browser> {
  const person = await findPersonByEmail(server.db, email);
  if (!person) throw new Error(`there is no user with the address ${email}`);
  const token = await openSession(server.db, { userId: person.id, openedByLink, userAgent });
  return browserWith(server, `atrium_session=${token}`);
}

/** A page of our app, with this cookie; an empty one means none. */
export function browserWith({ origin }: Pick<TestServer, 'origin'>, cookie = ''): Browser {
  const call = createCaller(origin);
  return {
    cookie,
    call: (method, path, options = {}, body = options.body) =>
      call(method, path, {
        ...options,
        body,
        headers: { origin, ...(cookie && { cookie }), ...options.headers },
      }),
  };
}

/** The cookie that a response sets, as the browser sends it back; undefined if there is none. */
export function cookieOf(reply: { headers: Headers }): string | undefined {
  return reply.headers.getSetCookie()[0]?.split(';', 1)[0];
}

/** The token in the last link sent to this address. */
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
  if (!link) throw new Error(`no link was created for ${email}`);
  return tokens.derive(purpose, link.id);
}
