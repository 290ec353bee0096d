import { expect, it } from 'vitest';
import { toCsv } from './csv.ts';

it('a table as CSV quotes what needs it, and runs nothing', () => {
  const rows = [
    ['Time', 'Name'],
    ['2026-01-31', 'Größe, "Maß"'],
    ['', 'two\nlines'],
    ['=HYPERLINK("http://evil.example")', '+1', '-1', '@sum', 'a=b'],
  ];
  expect(toCsv(rows)).toBe(
    [
      '\u{feff}Time,Name',
      '2026-01-31,"Größe, ""Maß"""',
      ',"two\nlines"',
      `"'=HYPERLINK(""http://evil.example"")",'+1,'-1,'@sum,a=b`,
      '',
    ].join('\r\n'),
  );
});
