import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { isEmail } from '../core/email.ts';
import { ConfigError } from './config-error.ts';
import { isDecodable, serviceUrl } from './values.ts';

export interface MailAddress {
  name: string;
  address: string;
}

export function smtpUrl(value: string | undefined): string | undefined {
  const name = 'SMTP_URL';
  const text = serviceUrl(name, value, ['smtp:', 'smtps:']);
  if (text === undefined) return undefined;
  const { hostname, pathname, username, password, searchParams, hash } = new URL(text);
  if (!isDecodable(username) || !isDecodable(password) || hash || !/^\/?$/.test(pathname)) {
    throw new ConfigError(
      name,
      'must look like smtps://user:password@mail.example.com:465, with special characters percent-encoded',
    );
  }
  if (!isMailHost(hostname))
    throw new ConfigError(name, 'must contain the host name of a mail server');
  for (const [key, setting] of searchParams) {
    if (key === 'requireTLS' && /^(true|false)$/.test(setting)) continue;
    throw new ConfigError(name, 'supports only one setting after the ?: requireTLS=true');
  }
  return text;
}

function isMailHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return isIP(hostname.slice(1, -1)) === 6;
  return isDecodable(hostname) && domainToASCII(decodeURIComponent(hostname)) !== '';
}

export function mailFrom(value: string): MailAddress {
  const [, quoted = '', inner] = /^([^<>]*)<([^<>]*)>$/.exec(value) ?? [];
  const from = {
    name: quoted.trim().replace(/^"([^"]*)"$/, '$1'),
    address: (inner ?? value).trim(),
  };
  if (!isEmail(from.address) || from.name.length > 120 || /\p{C}/u.test(from.name)) {
    throw new ConfigError(
      'MAIL_FROM',
      'must be an email address, with or without a name: Atrium <atrium@example.com>',
    );
  }
  return from;
}
