import { timingSafeEqual } from 'node:crypto';
import type { Context } from '../../../core/context.ts';
import type { FileRow } from '../store.ts';

/** What an address opens, and until when. */
export interface ContentAddress {
  orgId: string;
  fileId: string;
  disposition: string;
  /** In seconds since 1970. */
  expires: string;
}

const PURPOSE = 'content of a file';
/** Addresses of the same five minutes are the same, so a browser finds in its cache what it has. */
const STEP_SECONDS = 300;

/** Anyone who has it can read the file for five to ten minutes, as a browser has to that sends no cookie there. */
export function signedPath(
  { orgId, clock, tokens }: Pick<Context, 'orgId' | 'clock' | 'tokens'>,
  { id: fileId, name }: Pick<FileRow, 'id' | 'name'>,
  isInline: boolean,
): string {
  const step = Math.floor(clock.now().getTime() / 1000 / STEP_SECONDS);
  const address = {
    orgId,
    fileId,
    disposition: isInline ? 'inline' : 'attachment',
    expires: String((step + 2) * STEP_SECONDS),
  };
  const signature = tokens.derive(PURPOSE, ...wordsOf(address));
  // The name is for people who look at the address.
  const words = ['content', ...wordsOf(address), signature, name.toWellFormed()];
  return `/${words.map(encodeURIComponent).join('/')}`;
}

export function isValidAddress(
  { clock, tokens }: Pick<Context, 'clock' | 'tokens'>,
  address: ContentAddress,
  signature: string,
): boolean {
  const given = Buffer.from(signature);
  const isSigned = tokens
    .deriveAll(PURPOSE, ...wordsOf(address))
    .map((token) => Buffer.from(token))
    .some((token) => token.length === given.length && timingSafeEqual(token, given));
  return isSigned && Number(address.expires) > clock.now().getTime() / 1000;
}

function wordsOf({ orgId, fileId, disposition, expires }: ContentAddress): string[] {
  return [orgId, fileId, disposition, expires];
}
