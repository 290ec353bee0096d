import { describe, expect, it } from 'vitest';
import { makeJpeg, makePng, makeWebp } from '../../../test/harness/images.ts';
import { makeDocx, makePptx, makeXlsx, paragraph } from '../../../test/harness/files/office.ts';
import { makeZip } from '../../../test/harness/files/zip.ts';
import { claimedType, hasText, mayBeInline, mediaTypeOf } from './media-types.ts';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const html = '<!DOCTYPE html><script>alert(1)</script>';
const of = (bytes: Buffer | string, name = 'x', claimed: string | null = null) =>
  mediaTypeOf(Buffer.from(bytes as string), name, claimed);

describe('the media type', () => {
  it.each([
    ['a PNG', makePng(), 'image/png'],
    ['a JPEG', makeJpeg(), 'image/jpeg'],
    ['a WebP', makeWebp(), 'image/webp'],
    ['a PDF', '%PDF-1.7\n', 'application/pdf'],
    ['a PDF after some noise', 'noise\n%PDF-1.7\n', 'application/pdf'],
    ['Word', makeDocx(paragraph('x')), `${OFFICE}.wordprocessingml.document`],
    ['Excel', makeXlsx([['x']]), `${OFFICE}.spreadsheetml.sheet`],
    ['PowerPoint', makePptx([]), `${OFFICE}.presentationml.presentation`],
    ['an archive', makeZip({ 'a.txt': 'x' }), 'application/zip'],
    ['an archive with a folder called word', makeZip({ 'word/a': 'x' }), 'application/zip'],
    ['a program', 'MZ\x90\0\x03', 'application/octet-stream'],
    ['a program of Linux', '\x7fELF\x02\x01\x01\0', 'application/octet-stream'],
    ['a text in UTF-16', Buffer.from('\ufeffTäxt', 'utf16le'), 'text/plain'],
    ['a text in Latin-1', Buffer.from('Stra\xdfe', 'latin1'), 'application/octet-stream'],
    ['nothing but spaces', '   ', 'text/plain'],
  ])('of %s is found from its bytes', (_what, bytes, expected) => {
    expect(of(bytes, 'picture.gif', 'image/gif')).toBe(expected);
  });

  it('of what is cut off in the middle of a character is still that of a text', () => {
    const text = Buffer.from('€'.repeat(30));
    expect(of(text.subarray(0, 31), 'a.md')).toBe('text/markdown');
  });

  it.each([
    ['a page that begins like a picture', `GIF89a${html}`, 'x.gif', 'text/html'],
    ['a page that ends in a PDF', `${html}%PDF-1.4`, 'x.pdf', 'text/html'],
    ['a page in a text', html, 'x.png', 'text/html'],
    ['a drawing that runs something', '<svg onload="x()">', 'x.png', 'image/svg+xml'],
    ['a drawing after a comment', '<!-- x --><svg/>', 'x.jpg', 'image/svg+xml'],
  ])('of %s is none that a browser shows', (_what, text, name, expected) => {
    expect(of(text, name, 'image/png')).toBe(expected);
    expect(mayBeInline(expected)).toBe(false);
  });

  it('of texts that look alike comes from the name, then from what is claimed', () => {
    expect(of('a,b\n1,2', 'table.CSV')).toBe('text/csv');
    expect(of('# Title', 'README.md')).toBe('text/markdown');
    expect(of('{}', 'x.json')).toBe('application/json');
    expect(of(`About ${html}`, 'guide.md')).toBe('text/markdown');
    expect(of('a,b', 'table', 'text/csv')).toBe('text/csv');
    expect(of('a,b', 'table', 'application/x-msdownload')).toBe('text/plain');
  });

  it('says of which a text can be taken', () => {
    for (const type of ['text/plain', 'text/x-python', 'application/json', 'image/png'])
      expect(hasText(type), type).toBe(true);
    for (const type of [
      'application/zip',
      'image/svg+xml',
      'video/mp4',
      'application/octet-stream',
    ])
      expect(hasText(type), type).toBe(false);
  });

  it.each([
    [' Image/PNG; a=b', 'image/png'],
    ['', 'application/octet-stream'],
    [undefined, 'application/octet-stream'],
    ['a/b\r\nX: y', 'application/octet-stream'],
  ])('that a client claims (%j) is only taken if it is one', (claimed, expected) => {
    expect(claimedType(claimed)).toBe(expected);
  });
});
