import { describe, expect, it } from 'vitest';
import { isPicture, sizeInWords, statusInWords, typeInWords } from './file-words.ts';

describe('a size', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [1023, '1,023 bytes'],
    [1024, '1 KB'],
    [1536, '1.5 KB'],
    [10 * 1024 ** 2, '10 MB'],
    [1024 ** 3, '1 GB'],
    [5 * 1024 ** 5, '5,120 TB'],
  ])('%d is %s', (bytes, words) => expect(sizeInWords(bytes)).toBe(words));
});

describe('a type', () => {
  const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  it.each([
    ['image/png', 'a.png', 'Picture'],
    ['application/pdf', 'a', 'PDF'],
    [word, 'a.docx', 'Document'],
    ['text/csv', 'a.csv', 'Spreadsheet'],
    ['text/x-python', 'a.py', 'Text'],
    ['application/octet-stream', 'scene.blend', 'BLEND file'],
    ['application/octet-stream', 'LICENSE', 'File'],
  ])('%s, %s is %s', (mediaType, name, words) =>
    expect(typeInWords({ mediaType, name })).toBe(words),
  );
});

it('says the server’s reason if there is one', () => {
  expect(statusInWords({ status: 'REFUSED', reason: 'It has a virus.' })).toBe('It has a virus.');
  expect(statusInWords({ status: 'FAILED' })).toContain('Upload it again');
  expect(statusInWords({ status: 'READY' })).toBeUndefined();
});

it('an SVG is never shown as a picture, and nothing is before it was checked', () => {
  const image = { width: 1, height: 1 };
  expect(isPicture({ mediaType: 'image/png', status: 'READY', image })).toBe(true);
  expect(isPicture({ mediaType: 'image/svg+xml', status: 'READY', image })).toBe(false);
  expect(isPicture({ mediaType: 'image/png', status: 'CHECKING', image })).toBe(false);
  expect(isPicture({ mediaType: 'image/png', status: 'READY', image: null })).toBe(false);
});
