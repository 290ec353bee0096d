import { expect } from 'vitest';
import type { Call } from '../clients/client.ts';
import { dataOf } from '../clients/envelope.ts';
import { until } from './agent-stage.ts';

type Caller = { key: string };

/** Opens an upload, sends the bytes and returns the file's id at once. */
export async function sendFile(
  call: Call,
  by: Caller,
  { projectId, name, bytes }: { projectId: string; name: string; bytes: string | Buffer },
): Promise<string> {
  const body = Buffer.from(bytes);
  const opened = await call('POST', `/api/projects/${projectId}/files`, by, {
    name,
    size: body.length,
  });
  const { id, uploadUrl } = dataOf(opened, 201);
  const sent = await call(
    'PUT',
    new URL(uploadUrl).pathname,
    { ...by, headers: { 'content-type': 'application/octet-stream' } },
    body,
  );
  expect(sent.status, sent.text).toBeLessThan(300);
  return id;
}

/** Waits until nobody reads the text any more, and returns the file. */
export async function textRead(call: Call, by: Caller, fileId: string) {
  let file = {
    text: '',
    status: '',
    textReason: null as string | null,
    pages: null as number | null,
  };
  await until(async () => {
    file = dataOf(await call('GET', `/api/files/${fileId}`, by), 200);
    return !['UPLOADING', 'CHECKING'].includes(file.status) && file.text !== 'PENDING';
  });
  return file;
}

/** Until the model has read everything too. */
export async function embedded(db: {
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
}): Promise<void> {
  await until(async () => {
    const rows = await db.query(
      'SELECT 1 AS waiting FROM passages WHERE embedding IS NULL LIMIT 1',
    );
    return rows.length === 0;
  });
}

/** A PDF with these pages, as programs write it: one font, one stream a page. */
export function pdfOf(pages: readonly string[]): Buffer {
  const objects: string[] = [];
  const add = (text: string) => objects.push(text);
  const kids = pages.map((_, at) => `${4 + 2 * at} 0 R`).join(' ');
  add('<< /Type /Catalog /Pages 2 0 R >>');
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  for (const [at, page] of pages.entries()) {
    const lines = page
      .split('\n')
      .map((line) => `(${line.replaceAll(/[\\()]/g, '\\$&')}) Tj 0 -16 Td`);
    const stream = `BT /F1 11 Tf 50 780 Td ${lines.join(' ')} ET`;
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + 2 * at} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    );
    add(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
  }
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = text.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
