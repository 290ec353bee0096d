/** Why there is no text, or not all of it, in words for people. */
export const REASONS = {
  noText: 'There is no text in this file.',
  noTextInPicture: 'There is no text in this picture.',
  emptyFile: 'This file is empty.',
  damaged: 'This file is damaged or incomplete, so it could not be read.',
  otherType: 'This file is not what its name says, so it could not be read.',
  notSupported: 'Text can’t be read from files of this type.',
  notText: 'This file is not text.',
  password: 'This file is protected with a password.',
  protectedBook: 'This book is protected against copying.',
  unpacksTooLarge: 'This file becomes too large when it is unpacked, so it was not read.',
  tooManyParts: 'This file has too many parts, so it was not read.',
  unsafeXml: 'This file contains XML declarations that are not allowed, so it was not read.',
  tooLarge: 'This file is too large to be read.',
  pictureTooLarge: 'This picture has too many pixels to be read.',
  tooLong: 'This file took too long to read.',
  tooMuchMemory: 'Reading this file took too much memory.',
  crashed: 'The program that reads files stopped at this file.',
  noOcr: (languages: string) =>
    `Text in pictures can’t be read: this server has no recognition data for "${languages}".`,
  firstPages: (count: number) => `Only the first ${count.toLocaleString('en')} pages were read.`,
  firstScannedPages: (count: number) => `Only the first ${count} scanned pages were read.`,
  firstCharacters: (count: number) =>
    `Only the first ${(count / 1_000_000).toLocaleString('en')} million characters were read.`,
  longPages: 'Some pages are too long and were cut off.',
  unreadPages: (pages: readonly number[]) =>
    pages.length === 1
      ? `Page ${pages.join()} could not be read.`
      : `Pages ${pages.join(', ')} could not be read.`,
  stoppedAt: (page: number) => `Only the pages before page ${page} could be read in time.`,
} as const;

/** Ends the work on a file: the text can't be read, and this is why. */
export class Unreadable extends Error {
  readonly status: 'EMPTY' | 'FAILED';

  constructor(reason: string, status: 'EMPTY' | 'FAILED' = 'FAILED') {
    super(reason);
    this.name = 'Unreadable';
    this.status = status;
  }
}

/** Something is wrong with this machine or this installation, not with the file: it may be read later. */
export class NotTheFile extends Error {}
