import { renderMail } from '../../../adapters/mail/layout.ts';
import { LINK_MINUTES } from './links.ts';

interface LinkTo {
  email: string;
  link: string;
}

const WORKS_ONCE = `The link works once and expires in ${LINK_MINUTES} minutes.`;

export function renderSignInMail({ email, link }: LinkTo) {
  const parts = renderMail({
    preview: WORKS_ONCE,
    heading: 'Sign in to Atrium',
    paragraphs: [`Use this link to sign in as ${email}. ${WORKS_ONCE}`],
    facts: [],
    action: { label: 'Sign in', link },
    notes: [
      'Please do not forward this email. Anyone who opens the link can sign in as you.',
      'If you did not request this link, you can ignore this email.',
    ],
  });
  return { subject: 'Your Atrium sign-in link', ...parts };
}

export function renderEmailChangeMail({ email, link }: LinkTo) {
  const parts = renderMail({
    preview: WORKS_ONCE,
    heading: 'Confirm your new email address',
    paragraphs: [
      `Open this link in the browser you are signed in with to change your Atrium address to ${email}. ${WORKS_ONCE}`,
    ],
    facts: [],
    action: { label: 'Confirm address', link },
    notes: ['If you did not request this change, you can ignore this email. Nothing will change.'],
  });
  return { subject: 'Confirm your new email address for Atrium', ...parts };
}

/** Sent to the old address, so that the owner learns about a takeover. The link undoes the change. */
export function renderEmailChangedMail({
  email,
  previousEmail,
  link,
}: Partial<LinkTo> & { email: string; previousEmail: string }) {
  const parts = renderMail({
    preview: `Your email address is now ${email}.`,
    heading: 'Your email address was changed',
    paragraphs: [
      `You now sign in to Atrium as ${email}. The address ${previousEmail} no longer works.`,
      `If you did not do this, someone else has access to your account. Undo the change to restore ${previousEmail}, sign out everyone who is signed in as you, remove the password, and revoke the API keys created since.`,
    ],
    facts: [
      { label: 'Before', value: previousEmail },
      { label: 'Now', value: email },
    ],
    ...(link !== undefined && { action: { label: 'Undo change', link } }),
    notes: [
      'The link works once and expires in 7 days, even if the address is changed again.',
      'If you changed the address yourself, you can ignore this email. Please do not forward it.',
    ],
  });
  return { subject: 'Your email address for Atrium was changed', ...parts };
}
