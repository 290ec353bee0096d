import { renderMail } from '../../adapters/mail/layout.ts';
import type { Role } from '../../context.ts';

export interface InvitationMail {
  orgName: string;
  inviterName: string;
  inviterEmail: string;
  role: Role;
  /** `PUBLIC_URL/invite/{token}`. */
  link: string;
  expiresAt: Date;
}

const MAX_NAME_LENGTH = 80;
const ROLE_WORDS: Record<Role, string> = { OWNER: 'Owner', ADMIN: 'Admin', MEMBER: 'Member' };
const DAY_AND_TIME = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

export function renderInvitationMail(input: InvitationMail): {
  subject: string;
  text: string;
  html: string;
} {
  const { inviterEmail, link } = input;
  const org = plainName(input.orgName) || 'an organisation';
  const name = plainName(input.inviterName);
  const hasName = name !== '' && name !== inviterEmail;
  const inviter = hasName ? unlinked(name) : inviterEmail;
  const until = `${DAY_AND_TIME.format(input.expiresAt)} UTC`;
  const parts = renderMail({
    preview: `The invitation is valid until ${until}.`,
    heading: `Join ${unlinked(org)} on Atrium`,
    paragraphs: [
      `${inviter} has invited you to join ${unlinked(org)}.`,
      'Atrium is a workspace where people and AI agents share projects, conversations and memory.',
    ],
    facts: [
      { label: 'Invited by', value: hasName ? `${inviter} (${inviterEmail})` : inviterEmail },
      { label: 'Organisation', value: unlinked(org) },
      { label: 'Your role', value: ROLE_WORDS[input.role] },
      { label: 'Valid until', value: until },
    ],
    action: { label: 'View invitation', link },
    notes: [
      'This invitation works once, and only for the address this email was sent to. Please do not forward it.',
      'If you did not expect this invitation, you can ignore this email. Nothing happens unless you accept.',
    ],
  });
  return { subject: `${name || inviterEmail} invited you to ${org} on Atrium`, ...parts };
}

/** One short line without control characters that could reorder the text around it. */
function plainName(name: string): string {
  const line = name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= MAX_NAME_LENGTH) return line;
  // Don't cut a surrogate pair in half.
  return `${line.slice(0, MAX_NAME_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/**
 * Mail programs turn anything that looks like an address into a link, so a name such as "claim it at
 * evil.example" would become one in our email. A zero-width space after the dot prevents that.
 */
function unlinked(name: string): string {
  return name.replace(/(?<=\S[.:/])(?=\S)/g, '\u200b');
}
