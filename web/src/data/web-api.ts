import { AtriumError } from '@atrium/sdk';

/** The calls to `/web/*`: what only people in a browser do. All else goes through the SDK. */

export type Role = 'OWNER' | 'ADMIN' | 'MEMBER';

export interface OrgOfMine {
  id: string;
  name: string;
  role: Role;
}

export interface Profile {
  userId: string;
  email: string;
  name: string;
  hasPassword: boolean;
  orgs: OrgOfMine[];
  lastOrgId: string | null;
}

export interface Device {
  id: string;
  device: string;
  userAgent: string | null;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
  current: boolean;
}

export interface OpenInvitation {
  org: { id: string; name: string };
  inviter: { name: string };
  email: string;
  role: Role;
  status: 'PENDING' | 'ACCEPTED' | 'REVOKED' | 'EXPIRED';
  expiresAt: string;
  signedInAs: string | null;
}

export type Credentials = { token: string } | { email: string; password: string };

export const webApi = {
  sendSignInLink: (email: string, returnTo?: string) =>
    call<{ email: string }>('POST', '/sign-in-links', returnTo ? { email, returnTo } : { email }),
  signIn: (credentials: Credentials) => call<Profile>('POST', '/sign-in', credentials),
  signOut: () => call<undefined>('POST', '/sign-out'),
  /** Null if nobody is; asking is no failed request, which a browser would report in its console. */
  signedIn: async () => (await call<{ profile: Profile | null }>('GET', '/signed-in')).profile,
  profile: () => call<Profile>('GET', '/profile'),
  updateProfile: (changes: { name: string }) => call<Profile>('PATCH', '/profile', changes),
  setPassword: (passwords: { password: string; currentPassword?: string }) =>
    call<undefined>('PUT', '/password', passwords),
  devices: () => call<{ items: Device[]; total: number }>('GET', '/sessions'),
  signOutDevice: (id: string) => call<undefined>('DELETE', `/sessions/${encodeURIComponent(id)}`),
  changeEmail: (change: { email: string; currentPassword?: string }) =>
    call<{ email: string }>('POST', '/email-changes', change),
  confirmEmail: (token: string) => call<Profile>('POST', '/email-changes/confirm', { token }),
  undoEmail: (token: string) => call<{ email: string }>('POST', '/email-changes/undo', { token }),
  invitation: (token: string) =>
    call<OpenInvitation>('GET', `/invitations/${encodeURIComponent(token)}`),
};

interface Envelope {
  data?: unknown;
  error?: { code: string; message: string; details?: Record<string, unknown> };
  metadata?: { requestId?: string };
}

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await send(method, path, body);
  if (response.status === 204) return undefined as T;
  const answer = (await response.json().catch(() => ({}))) as Envelope;
  if (response.ok) return answer.data as T;
  const retryAfter = Number(response.headers.get('retry-after')) || undefined;
  throw new AtriumError(answer.error?.message ?? `The server answered ${response.status}.`, {
    code: answer.error?.code ?? 'INTERNAL_ERROR',
    status: response.status,
    requestId: answer.metadata?.requestId ?? response.headers.get('x-request-id') ?? undefined,
    details: answer.error?.details,
    retryAfter,
  });
}

async function send(method: string, path: string, body?: object): Promise<Response> {
  try {
    return await fetch(`/web${path}`, {
      method,
      credentials: 'same-origin',
      ...(body && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
      signal: AbortSignal.timeout(30_000),
    });
  } catch (cause) {
    throw new AtriumError('The server cannot be reached. Check your connection, then try again.', {
      code: 'CONNECTION_ERROR',
      cause,
    });
  }
}
