import { defineRoute, type Route } from '../../../http/route.ts';
import { ChangeEmail, Confirm, SentLink } from '../sign-in/schema.ts';
import { Profile, SetPassword, UpdateProfile } from './schema.ts';
import {
  confirmEmailChange,
  profileOf,
  renamePerson,
  requestEmailChange,
  setPassword,
} from './service.ts';

const web = { tag: 'Account', auth: 'web', scope: null } as const;

export const accountRoutes: Route[] = [
  defineRoute({
    ...web,
    operationId: 'getProfile',
    method: 'GET',
    path: '/profile',
    summary: 'Who is signed in',
    description: 'Asked for whenever the app starts, so the cookie is renewed here.',
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
      'The current one is needed, unless a sign-in link opened this session within 15 minutes. Ends your other sessions.',
    limit: 'write',
    request: { body: SetPassword },
    status: 204,
    handler: (ctx, { body }) => setPassword(ctx, body),
  }),
  defineRoute({
    ...web,
    operationId: 'requestEmailChange',
    method: 'POST',
    path: '/email-changes',
    summary: 'Ask for another address',
    description: 'Mails a link to the new address; nothing changes before it is confirmed.',
    limit: 'write',
    request: { body: ChangeEmail },
    status: 200,
    response: SentLink,
    async handler(ctx, { body }) {
      await requestEmailChange(ctx, body.email);
      return { email: body.email };
    },
  }),
  defineRoute({
    ...web,
    operationId: 'confirmEmailChange',
    method: 'POST',
    path: '/email-changes/confirm',
    summary: 'Confirm another address',
    description: 'By the person who asked for it, with the token of the mail.',
    limit: 'write',
    request: { body: Confirm },
    status: 200,
    response: Profile,
    async handler(ctx, { body }) {
      await confirmEmailChange(ctx, body.token);
      return profileOf(ctx.db, ctx.actor.userId);
    },
  }),
];
