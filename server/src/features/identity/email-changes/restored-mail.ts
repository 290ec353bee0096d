import { z } from 'zod';
import { renderMail } from '../../../adapters/mail/layout.ts';
import { plainName } from '../../../adapters/mail/plain-name.ts';
import type { LinkMailParts } from '../sign-in/link-mail-job.ts';
import { RestoredEmail } from './schema.ts';

export const EMAIL_RESTORED_MAIL = 'email-restored-mail';

const Payload = z.object({ undoId: z.string(), restored: RestoredEmail });

/** To the restored address: what was ended, and what its owner should still look at. */
export async function sendEmailRestoredMail(
  { mailer, publicUrl }: LinkMailParts,
  payload: unknown,
  signal: AbortSignal,
): Promise<void> {
  const { undoId, restored } = Payload.parse(payload);
  const link = `${publicUrl}/sign-in`;
  const mail = renderRestoredMail(restored, link);
  await mailer.send(
    { to: restored.email, ...mail, link, messageId: `${undoId}-undone` },
    { signal },
  );
}

function renderRestoredMail(restored: RestoredEmail, link: string) {
  const { email, revokedKeys, remainingKeys, invitations } = restored;
  const parts = renderMail({
    preview: `Your email address is ${email} again.`,
    heading: 'Your email address was restored',
    paragraphs: [
      `You sign in to Atrium as ${email} again. Everyone who was signed in as you is signed out, and the password is removed.`,
      revokedKeys.length === 0
        ? 'No API keys were created since the change.'
        : 'The API keys created since the change are revoked:',
    ],
    facts: [
      ...revokedKeys.map(({ name, prefix, orgName }) => ({
        label: 'Revoked',
        value: `${plainName(name)} (${prefix}…), ${plainName(orgName)}`,
      })),
      ...invitations.map(({ email: invited, isAccepted, orgName }) => ({
        label: isAccepted ? 'Joined' : 'Invited',
        value: `${invited}, ${plainName(orgName)}`,
      })),
    ],
    action: { label: 'Sign in', link },
    notes: [
      ...(invitations.length === 0
        ? []
        : [
            'The invitations above were sent in your name since the change, and still stand. Ask an owner or admin to remove anyone who doesn’t belong.',
          ]),
      ...(remainingKeys === 0
        ? []
        : [
            `API keys of yours from before the change still work: ${remainingKeys}. Revoke any you don’t recognise under Settings, API keys.`,
          ]),
      'Set a new password, and check your name and handle.',
    ],
  });
  return { subject: 'Your email address for Atrium was restored', ...parts };
}
