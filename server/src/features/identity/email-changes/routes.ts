import { defineRoute, type Route } from '../../../http/route.ts';
import { Profile } from '../account/schema.ts';
import { profileOf } from '../account/service.ts';
import { SentLink } from '../sign-in/schema.ts';
import { ChangeEmail, ConfirmChange, RestoredEmail, UndoChange } from './schema.ts';
import { confirmEmailChange, requestEmailChange, undoEmailChange } from './service.ts';

const web = { tag: 'Account', auth: 'web', scope: null, limit: 'write', method: 'POST' } as const;

export const emailChangeRoutes: Route[] = [
  defineRoute({
    ...web,
    operationId: 'requestEmailChange',
    path: '/email-changes',
    summary: 'Request an address change',
    description:
      'Emails a link to the new address. Nothing changes until it is confirmed. Requires the current password, or a sign-in by email link within the last 10 minutes.',
    request: { body: ChangeEmail },
    response: SentLink,
    async handler(ctx, { body }) {
      await requestEmailChange(ctx, body);
      return { email: body.email };
    },
  }),
  defineRoute({
    ...web,
    operationId: 'confirmEmailChange',
    path: '/email-changes/confirm',
    summary: 'Confirm an address change',
    description:
      'For the person who requested it, with the token from the email. The old address receives a link to undo the change.',
    request: { body: ConfirmChange },
    response: Profile,
    async handler(ctx, { body }) {
      await confirmEmailChange(ctx, body.token);
      return profileOf(ctx.db, ctx.actor.userId);
    },
  }),
  defineRoute({
    ...web,
    auth: 'anyone',
    operationId: 'undoEmailChange',
    path: '/email-changes/undo',
    summary: 'Undo an address change',
    description:
      'With the token emailed to the old address, for 7 days. Restores that address, signs the person out everywhere, removes the password, and revokes every key created in their name since the change.',
    request: { body: UndoChange },
    response: RestoredEmail,
    handler: (ctx, { body }) => undoEmailChange(ctx, body.token),
  }),
];
