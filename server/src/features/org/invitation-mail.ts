import { renderMail } from '../../adapters/mail/layout.ts';
import { plainName } from '../../adapters/mail/plain-name.ts';
import type { InvitationMailRow } from './invitations/store.ts';

type Shown = 'orgName' | 'inviterName' | 'inviterEmail' | 'role' | 'expiresAt';

/** The link is `PUBLIC_URL/invite/{token}`. */
export type InvitationMail = Pick<InvitationMailRow, Shown> & { link: string };

const ROLE_WORDS = { ADMIN: 'Admin', MEMBER: 'Member' };
const DAY_AND_TIME = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

export function renderInvitationMail(input: InvitationMail) {
  const { inviterEmail, link } = input;
  const org = plainName(input.orgName) || 'an organisation';
  const name = plainName(input.inviterName);
  const hasName = name !== '' && input.inviterName !== inviterEmail;
  const inviter = hasName ? name : inviterEmail;
  const until = `${DAY_AND_TIME.format(input.expiresAt)} UTC`;
  const parts = renderMail({
    preview: `The invitation is valid until ${until}.`,
    heading: `Join ${org} on Atrium`,
    paragraphs: [
      `${inviter} has invited you to join ${org}.`,
      'Atrium is a workspace where people and AI agents share projects, conversations and memory.',
    ],
    facts: [
      { label: 'Invited by', value: hasName ? `${inviter} (${inviterEmail})` : inviterEmail },
      { label: 'Organisation', value: org },
      { label: 'Your role', value: ROLE_WORDS[input.role] },
      { label: 'Valid until', value: until },
    ],
    action: { label: 'View invitation', link },
    notes: [
      'This invitation works once, and only for the address this email was sent to. Please do not forward it.',
      'If you did not expect this invitation, you can ignore this email. Nothing happens unless you accept.',
    ],
  });
  return { subject: `${inviter} invited you to ${org} on Atrium`, ...parts };
}
