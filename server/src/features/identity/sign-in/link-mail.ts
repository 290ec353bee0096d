import { renderMail } from '../../../adapters/mail/layout.ts';
import { LINK_MINUTES } from './links.ts';

interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

const WORKS_ONCE = `The link works once, within ${LINK_MINUTES} minutes.`;

export function renderSignInMail({ email, link }: { email: string; link: string }): RenderedMail {
  const parts = renderMail({
    preview: WORKS_ONCE,
    heading: 'Sign in to Atrium',
    paragraphs: [`Open this link to sign in as ${email}. ${WORKS_ONCE}`],
    facts: [],
    action: { label: 'Sign in', link },
    notes: [
      'Please do not forward this mail: whoever opens the link is signed in as you.',
      'You did not ask for this? Then ignore this mail: nobody is signed in unless the link is opened.',
    ],
  });
  return { subject: 'Your sign-in link for Atrium', ...parts };
}

export function renderEmailChangeMail({
  email,
  link,
}: {
  email: string;
  link: string;
}): RenderedMail {
  const parts = renderMail({
    preview: WORKS_ONCE,
    heading: 'Confirm your new address',
    paragraphs: [
      `Open this link, in the browser you are signed in with, to use Atrium as ${email} from then on. ${WORKS_ONCE}`,
    ],
    facts: [],
    action: { label: 'Confirm the address', link },
    notes: ['You did not ask for this? Then ignore this mail: nothing changes.'],
  });
  return { subject: 'Confirm your new address for Atrium', ...parts };
}

/** To the old address: whoever took the account over would not want its owner to learn of it. */
export function renderEmailChangedMail({
  email,
  previousEmail,
  link,
}: {
  email: string;
  previousEmail: string;
  /** Undoes the change. */
  link?: string;
}): RenderedMail {
  const parts = renderMail({
    preview: `Your address is now ${email}.`,
    heading: 'Your address was changed',
    paragraphs: [
      `You now sign in to Atrium as ${email}. The address ${previousEmail} is no longer used.`,
      `If you did not do this, somebody else has used your account. Undo the change: ${previousEmail} is your address again, everybody who is signed in as you is signed out, and the password is removed.`,
    ],
    facts: [
      { label: 'Before', value: previousEmail },
      { label: 'Now', value: email },
    ],
    ...(link !== undefined && { action: { label: 'Undo the change', link } }),
    notes: [
      'The link works once, within 7 days, whatever the address is changed to meanwhile.',
      'If you changed the address yourself, ignore this mail and do not forward it.',
    ],
  });
  return { subject: 'Your address for Atrium was changed', ...parts };
}
