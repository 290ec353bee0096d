const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u;
const LOCAL = /^[^\s\p{C}@,;:<>()[\]"\\]+$/u;

/**
 * Whether mail could be sent to this address; runs in linear time. Quoted local parts and address literals
 * are not supported: nobody uses them, and they enable header injection.
 */
export function isEmail(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  const at = text.indexOf('@');
  if (at < 1 || at > MAX_LOCAL_LENGTH || at !== text.lastIndexOf('@')) return false;
  const local = text.slice(0, at);
  if (!LOCAL.test(local) || local.startsWith('.') || local.endsWith('.') || local.includes('..')) {
    return false;
  }
  return text
    .slice(at + 1)
    .split('.')
    .every((label) => LABEL.test(label));
}

/**
 * False if a character folds to an ASCII one, as U+212A KELVIN SIGN does to k. To a mail server it is a
 * different mailbox, so accounts and invitations never get such an address.
 */
export function isUnambiguous(email: string): boolean {
  return !Array.from(email).some(
    (character) => character > '\x7f' && /[!-~]/.test(emailKey(character)),
  );
}

/** A normalised form that is equal for all spellings of an address. */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
