import { defineRoute, type Route } from '../../../http/route.ts';
import { Profile, SetPassword, SignedIn, UpdateProfile } from './schema.ts';
import { openApp, profileOf, renamePerson, setPassword } from './service.ts';

const web = { tag: 'Account', auth: 'web', scope: null } as const;

export const accountRoutes: Route[] = [
  defineRoute({
    ...web,
    auth: 'anyone',
    operationId: 'getSignedIn',
    method: 'GET',
    path: '/signed-in',
    summary: 'Whether somebody is signed in, and who',
    description: 'Asked for whenever the app starts: no failed request if the answer is nobody.',
    limit: 'read',
    request: {},
    status: 200,
    response: SignedIn,
    async handler(ctx) {
      return { profile: await openApp(ctx) };
    },
  }),
  defineRoute({
    ...web,
    operationId: 'getProfile',
    method: 'GET',
    path: '/profile',
    summary: 'Who is signed in',
    description: 'Renews the cookie.',
    limit: 'read',
    request: {},
    status: 200,
    response: Profile,
    handler(ctx) {
      ctx.cookie.renew();
      return profileOf(ctx.db, ctx.actor.userId);
    },
  }),
  defineRoute({
    ...web,
    operationId: 'updateProfile',
    method: 'PATCH',
    path: '/profile',
    summary: 'Change your name',
    description: 'The name that others see.',
    limit: 'write',
    request: { body: UpdateProfile },
    status: 200,
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
      'Needs the current one, or a sign-in by link within 10 minutes. Ends your other sessions.',
    limit: 'write',
    request: { body: SetPassword },
    status: 204,
    handler: (ctx, { body }) => setPassword(ctx, body),
  }),
];
