import { defineRoute, type Route } from '../../../http/route.ts';
import { renewCookie } from '../web-sessions/service.ts';
import {
  ChangedPassword,
  ConfirmSignIn,
  Profile,
  ServerInfo,
  SetPassword,
  SignedIn,
  UpdateProfile,
} from './schema.ts';
import { confirmSignIn, openApp, profileOf, renamePerson, setPassword } from './service.ts';

const web = { tag: 'Account', auth: 'web', scope: null } as const;

export const accountRoutes: Route[] = [
  defineRoute({
    ...web,
    auth: 'anyone',
    operationId: 'getSignedIn',
    method: 'GET',
    path: '/signed-in',
    summary: 'Check who is signed in',
    description: 'The app calls this when it starts. If nobody is signed in, `profile` is null.',
    limit: 'read',
    response: SignedIn,
    handler: async (ctx) => ({ profile: await openApp(ctx) }),
  }),
  defineRoute({
    ...web,
    operationId: 'getProfile',
    method: 'GET',
    path: '/profile',
    summary: 'Get your profile',
    description: 'Sends the cookie again, at most once a day.',
    limit: 'read',
    response: Profile,
    async handler(ctx) {
      await renewCookie(ctx);
      return profileOf(ctx.db, ctx.actor.userId);
    },
  }),
  defineRoute({
    ...web,
    operationId: 'getServerInfo',
    method: 'GET',
    path: '/server-info',
    summary: 'Get how this server is set up',
    description: 'Whether it sends email, or only writes it to files, and who takes payments.',
    limit: 'read',
    response: ServerInfo,
    handler: async ({ settings: { sendsMail }, payments }) => {
      if (!payments) return { sendsMail, payments: 'NONE' as const };
      const provider = payments.isSandbox ? ('SANDBOX' as const) : ('STRIPE' as const);
      return { sendsMail, payments: provider };
    },
  }),
  defineRoute({
    ...web,
    operationId: 'updateProfile',
    method: 'PATCH',
    path: '/profile',
    summary: 'Change your name',
    description: 'The name other people see.',
    limit: 'write',
    request: { body: UpdateProfile },
    response: Profile,
    async handler(ctx, { body }) {
      if (body.name !== undefined) await renamePerson(ctx, body.name);
      return profileOf(ctx.db, ctx.actor.userId);
    },
  }),
  defineRoute({
    ...web,
    operationId: 'setPassword',
    method: 'PUT',
    path: '/password',
    summary: 'Set a password',
    description:
      'Requires the current password, or a sign-in by email link within the last 10 minutes. Ends your other sessions. With `revokeKeys`, also revokes your keys in every organisation.',
    limit: 'write',
    request: { body: SetPassword },
    response: ChangedPassword,
    handler: async (ctx, { body }) => ({ revokedKeys: await setPassword(ctx, body) }),
  }),
  defineRoute({
    ...web,
    operationId: 'confirmSignIn',
    method: 'POST',
    path: '/confirm-sign-in',
    summary: 'Confirm that it is you',
    description:
      'With the current password. For the next 15 minutes this session can create and rotate keys.',
    limit: 'write',
    request: { body: ConfirmSignIn },
    status: 204,
    handler: (ctx, { body }) => confirmSignIn(ctx, body.currentPassword),
  }),
];
