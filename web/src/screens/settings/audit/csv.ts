/** As spreadsheets read it: with a byte order mark, so that they take it for UTF-8. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return `\u{feff}${rows.map((row) => `${row.map(toCell).join(',')}\r\n`).join('')}`;
}

/** A cell that begins like a formula would be run as one, and anybody can choose such a name. */
function toCell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
