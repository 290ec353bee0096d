import { domainToASCII } from 'node:url';
import type { SendMailOptions } from 'nodemailer';
import type { MailAddress } from '../../config/mail.ts';
import { isEmail } from '../../core/email.ts';
import { MailRefused, type OutgoingMail } from './mailer.ts';
import { plainName } from './plain-name.ts';

const MAX_SUBJECT_LENGTH = 250;
const MAX_PART_LENGTH = 256 * 1024;

/** Makes sure that nothing a person typed can end a header or start another one. */
export function composeMessage(mail: OutgoingMail, from: MailAddress): SendMailOptions {
  if (!isEmail(mail.to)) {
    throw new MailRefused(`not a valid email address: ${quote(mail.to)}`);
  }
  if (mail.text.length > MAX_PART_LENGTH || mail.html.length > MAX_PART_LENGTH) {
    throw new MailRefused(`a part of the email is longer than ${MAX_PART_LENGTH} characters`);
  }
  return {
    from,
    to: { name: '', address: mail.to },
    subject: plainName(mail.subject, MAX_SUBJECT_LENGTH),
    text: mail.text,
    html: mail.html,
    ...(mail.messageId !== undefined && { messageId: messageId(mail.messageId, from) }),
    // Keeps out-of-office notes and ticket systems from replying.
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(mail.unsubscribe !== undefined && unsubscribeHeaders(mail.unsubscribe)),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function unsubscribeHeaders(link: string): Record<string, string> {
  return {
    'List-Unsubscribe': `<${new URL(link).href}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

function messageId(id: string, from: MailAddress): string {
  if (!/^[\w-]{1,200}$/.test(id)) throw new MailRefused(`not a valid message id: ${quote(id)}`);
  const domain = from.address.slice(from.address.indexOf('@') + 1);
  return `<${id}@${domainToASCII(domain) || 'localhost'}>`;
}

/** JSON escapes line breaks and other control characters, which would forge lines in a log. */
function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}
