const DIGITS = ['m', 'cm', 'd', 'cd', 'c', 'xc', 'l', 'xl', 'x', 'ix', 'v', 'iv', 'i'];
const VALUES = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1];

function roman(number: number): string {
  let left = number;
  let text = '';
  for (const [at, value] of VALUES.entries()) {
    const count = Math.floor(left / value);
    text += (DIGITS[at] ?? '').repeat(count);
    left -= count * value;
  }
  return text;
}

/** a to z, then aa to zz. */
function letters(number: number): string {
  const letter = String.fromCharCode(97 + ((number - 1) % 26));
  return letter.repeat(Math.ceil(number / 26));
}

const MOST = 5_000;

/** As formats of numbers are called in Word, HTML and OpenDocument. Unknown ones are written in digits. */
export function numberLabel(number: number, format: string): string {
  if (number < 1 || number > MOST) return String(number);
  if (/^(?:lowerRoman|i)$/.test(format)) return roman(number);
  if (/^(?:upperRoman|I)$/.test(format)) return roman(number).toUpperCase();
  if (/^(?:lowerLetter|a)$/.test(format)) return letters(number);
  if (/^(?:upperLetter|A)$/.test(format)) return letters(number).toUpperCase();
  return format === 'decimalZero' ? String(number).padStart(2, '0') : String(number);
}

const DEEPEST = 8;

/** A line of a list that is in `depth` others. */
export function listLine(depth: number, label: string, text: string): string {
  return `${indentOf(depth)}${label || '-'} ${indented(depth + 1, text).trimStart()}`;
}

/** A line that belongs to the one before it. */
export function indented(depth: number, text: string): string {
  const indent = indentOf(depth);
  return `${indent}${text.replaceAll('\n', `\n${indent}`)}\n`;
}

function indentOf(depth: number): string {
  return '  '.repeat(Math.min(depth, DEEPEST));
}
