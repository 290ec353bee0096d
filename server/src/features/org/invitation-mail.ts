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
  const org = plainName(input.orgName) || 'a workspace';
  const name = plainName(input.inviterName);
  const hasName = name !== '' && name !== inviterEmail;
  const inviter = hasName ? unlinked(name) : inviterEmail;
  const until = `${DAY_AND_TIME.format(input.expiresAt)} UTC`;
  const parts = renderMail({
    preview: `Open the invitation by ${until}.`,
    heading: `Join ${unlinked(org)} on Atrium`,
    paragraphs: [
      `${inviter} invites you to join ${unlinked(org)} and work together there.`,
      'Atrium is a workspace where people and AI agents share Projects, conversations and memory.',
    ],
    facts: [
      { label: 'Invited by', value: hasName ? `${inviter} (${inviterEmail})` : inviterEmail },
      { label: 'Workspace', value: unlinked(org) },
      { label: 'Your role', value: ROLE_WORDS[input.role] },
      { label: 'Valid until', value: until },
    ],
    action: { label: 'Open the invitation', link },
    notes: [
      'The invitation is for the address this mail was sent to, and works once. Please do not forward it.',
      'You did not expect this? Then ignore this mail: unless you accept, nothing happens, and the invitation ends by itself.',
    ],
  });
  return { subject: `${name || inviterEmail} invites you to ${org} on Atrium`, ...parts };
}

/** One line, of bounded length, that cannot reorder the words around it. */
function plainName(name: string): string {
  const line = name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= MAX_NAME_LENGTH) return line;
  // Not through the middle of a character of two units.
  return `${line.slice(0, MAX_NAME_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/**
 * Mail programs make links of what looks like an address, and a name such as "claim it at evil.example"
 * would get one in our mail. A space of no width behind the dot stops them.
 */
function unlinked(name: string): string {
  return name.replace(/(?<=\S[.:/])(?=\S)/g, '\u200b');
}
