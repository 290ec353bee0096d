import { domainToASCII } from 'node:url';
import type { SendMailOptions } from 'nodemailer';
import type { MailAddress } from '../../config/config.ts';
import { isEmail } from '../../email.ts';
import { MailRefused, type OutgoingMail } from './mailer.ts';

const MAX_SUBJECT_LENGTH = 250;
const MAX_PART_LENGTH = 256 * 1024;

/** The last guard before the wire: nothing that a person typed may end a header or begin another. */
export function composeMessage(mail: OutgoingMail, from: MailAddress): SendMailOptions {
  if (!isEmail(mail.to)) {
    throw new MailRefused(`this is no address that mail can go to: ${quote(mail.to)}`);
  }
  if (mail.text.length > MAX_PART_LENGTH || mail.html.length > MAX_PART_LENGTH) {
    throw new MailRefused(`a part of the mail is longer than ${MAX_PART_LENGTH} characters`);
  }
  return {
    from,
    to: { name: '', address: mail.to },
    subject: oneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    ...(mail.messageId !== undefined && { messageId: messageId(mail.messageId, from) }),
    // So that absence notes and ticket systems do not answer.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function oneLine(subject: string): string {
  const line = subject.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  return line.slice(0, MAX_SUBJECT_LENGTH).toWellFormed();
}

function messageId(id: string, from: MailAddress): string {
  if (!/^[\w-]{1,200}$/.test(id)) throw new MailRefused(`this is no message id: ${quote(id)}`);
  const domain = from.address.slice(from.address.indexOf('@') + 1);
  return `<${id}@${domainToASCII(domain) || 'localhost'}>`;
}

/** JSON escapes line breaks and other control characters, which would forge lines in a log. */
function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}
