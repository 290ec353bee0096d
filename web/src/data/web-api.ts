import { AtriumError } from '@atrium/sdk';
import type {
  ChangedPassword,
  Profile as ProfileSchema,
  ServerInfo as ServerInfoSchema,
} from '../../../server/src/features/identity/account/schema.ts';
import type { RestoredEmail } from '../../../server/src/features/identity/email-changes/schema.ts';
import type { SignIn } from '../../../server/src/features/identity/sign-in/schema.ts';
import type { WebSessionList } from '../../../server/src/features/identity/web-sessions/schema.ts';
import type { MemoryStatus } from '../../../server/src/features/memory/schema.ts';
import type { WebInvitation } from '../../../server/src/features/org/schema.ts';

/**
 * The calls to `/web/*`, for what only people in a browser do. Everything else goes through the SDK.
 * The types are those of the server's schemas; being types, they add nothing to the bundle.
 */

type Output<Schema extends { parse: (data: unknown) => unknown }> = ReturnType<Schema['parse']>;

export type Profile = Output<typeof ProfileSchema>;
export type ServerInfo = Output<typeof ServerInfoSchema>;
export type OrgMembership = Profile['orgs'][number];
export type Role = OrgMembership['role'];
export type Device = Output<typeof WebSessionList>['items'][number];
export type OpenInvitation = Output<typeof WebInvitation>;
export type UndoneChange = Output<typeof RestoredEmail>;
export type Credentials = Output<typeof SignIn>;

export const webApi = {
  sendSignInLink: (email: string, returnTo?: string) =>
    call<{ email: string }>('POST', '/sign-in-links', returnTo ? { email, returnTo } : { email }),
  signIn: (credentials: Credentials) => call<Profile>('POST', '/sign-in', credentials),
  signUp: (invited: { token: string; name: string }) => call<Profile>('POST', '/sign-up', invited),
  signOut: () => call<undefined>('POST', '/sign-out'),
  /** Null if nobody is. This is not a failed request, which a browser would report in its console. */
  signedIn: async () => (await call<{ profile: Profile | null }>('GET', '/signed-in')).profile,
  serverInfo: () => call<ServerInfo>('GET', '/server-info'),
  profile: () => call<Profile>('GET', '/profile'),
  updateProfile: (changes: { name: string }) => call<Profile>('PATCH', '/profile', changes),
  setPassword: (passwords: { password: string; currentPassword?: string; revokeKeys: boolean }) =>
    call<Output<typeof ChangedPassword>>('PUT', '/password', passwords),
  confirmSignIn: (currentPassword: string) =>
    call<undefined>('POST', '/confirm-sign-in', { currentPassword }),
  devices: () => call<{ items: Device[]; total: number }>('GET', '/sessions'),
  signOutDevice: (id: string) => call<undefined>('DELETE', `/sessions/${encodeURIComponent(id)}`),
  changeEmail: (change: { email: string; currentPassword?: string }) =>
    call<{ email: string }>('POST', '/email-changes', change),
  confirmEmail: (token: string) => call<Profile>('POST', '/email-changes/confirm', { token }),
  undoEmail: (token: string) => call<UndoneChange>('POST', '/email-changes/undo', { token }),
  invitation: (token: string) =>
    call<OpenInvitation>('GET', `/invitations/${encodeURIComponent(token)}`),
  memoryStatus: (orgId: string) =>
    call<Output<typeof MemoryStatus>>('GET', '/memory/status', undefined, { 'atrium-org': orgId }),
  /** Whether the person is there, for all pages of this browser. */
  reportPresence: (state: 'ACTIVE' | 'AWAY') => call<undefined>('PUT', '/presence', { state }),
  /** Others see for a few seconds that the person is writing in a session of this org. */
  tellTyping: (orgId: string, slug: string, sessionId: string) =>
    call<undefined>(
      'POST',
      `/spaces/${encodeURIComponent(slug)}/sessions/${encodeURIComponent(sessionId)}/typing`,
      undefined,
      { 'atrium-org': orgId },
    ),
};

interface Envelope {
  data?: unknown;
  error?: { code: string; message: string; details?: Record<string, unknown> };
  metadata?: { requestId?: string };
}

async function call<T>(
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
): Promise<T> {
  const response = await send(method, path, body, headers);
  if (response.status === 204) return undefined as T;
  const answer = (await response.json().catch(() => ({}))) as Envelope;
  if (response.ok) return answer.data as T;
  const retryAfter = Number(response.headers.get('retry-after')) || undefined;
  throw new AtriumError(answer.error?.message ?? `The server responded with ${response.status}.`, {
    code: answer.error?.code ?? 'INTERNAL_ERROR',
    status: response.status,
    requestId: answer.metadata?.requestId ?? response.headers.get('x-request-id') ?? undefined,
    details: answer.error?.details,
    retryAfter,
  });
}

async function send(
  method: string,
  path: string,
  body: object | undefined,
  headers: Record<string, string> = {},
): Promise<Response> {
  const request = () =>
    fetch(`/web${path}`, {
      method,
      credentials: 'same-origin',
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
  // The connection may have been closed just as it was used again. A timeout is not retried.
  const retryOnce = (error: unknown) => {
    if (error instanceof TypeError) return request();
    throw error;
  };
  try {
    return await (method === 'GET' ? request().catch(retryOnce) : request());
  } catch (cause) {
    throw new AtriumError('Can’t reach the server. Check your connection and try again.', {
      code: 'CONNECTION_ERROR',
      cause,
    });
  }
}
