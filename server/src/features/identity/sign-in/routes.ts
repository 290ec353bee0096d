import { defineRoute, type Route } from '../../../http/route.ts';
import { Profile } from '../account/schema.ts';
import { profileOf } from '../account/service.ts';
import { RequestLink, SentLink, SignIn, SignUp } from './schema.ts';
import {
  requestSignInLink,
  signInByLink,
  signInByPassword,
  signOut,
  signUpByInvitation,
} from './service.ts';

const anyone = { tag: 'Sign-in', auth: 'anyone', scope: null, limit: 'write' } as const;

export const signInRoutes: Route[] = [
  defineRoute({
    ...anyone,
    operationId: 'requestSignInLink',
    method: 'POST',
    path: '/sign-in-links',
    summary: 'Request a sign-in link',
    description:
      'Emails a one-time link if the address belongs to someone who may sign in. The response is the same either way.',
    request: { body: RequestLink },
    response: SentLink,
    async handler(ctx, { body }) {
      await requestSignInLink(ctx, body);
      return { email: body.email };
    },
  }),
  defineRoute({
    ...anyone,
    operationId: 'signIn',
    method: 'POST',
    path: '/sign-in',
    summary: 'Sign in',
    description:
      'With the token of a link, or with an email address and a password. Sets the session cookie.',
    request: { body: SignIn },
    response: Profile,
    async handler(ctx, { body }) {
      const userId =
        'token' in body ? await signInByLink(ctx, body.token) : await signInByPassword(ctx, body);
      return profileOf(ctx.db, userId);
    },
  }),
  defineRoute({
    ...anyone,
    operationId: 'signUp',
    method: 'POST',
    path: '/sign-up',
    summary: 'Create an account from an invitation',
    description:
      'With the token of an emailed invitation to an address without an account. Creates it, accepts the invitation and sets the session cookie.',
    request: { body: SignUp },
    response: Profile,
    handler: async (ctx, { body }) => profileOf(ctx.db, await signUpByInvitation(ctx, body)),
  }),
  defineRoute({
    ...anyone,
    operationId: 'signOut',
    method: 'POST',
    path: '/sign-out',
    summary: 'Sign out',
    description: 'Ends the session and clears the cookie.',
    status: 204,
    handler: (ctx) => signOut(ctx),
  }),
];
