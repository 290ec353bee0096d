import { readFile, stat } from 'node:fs/promises';
import { getDocumentProxy } from 'unpdf';
import type { ReaderLimits } from '../limits.ts';
import { REASONS, Unreadable } from '../reasons.ts';

export type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
export type PdfPage = Awaited<ReturnType<Pdf['getPage']>>;

const SILENT = 0;

/** For its text. Nothing in it is run: no scripts, no forms of the older kind, no code made from its functions. */
export async function openPdf(path: string, limits: ReaderLimits): Promise<Pdf> {
  const { size } = await stat(path);
  if (size === 0) throw new Unreadable(REASONS.emptyFile, 'EMPTY');
  if (size > limits.pdfBytes) throw new Unreadable(REASONS.tooLarge);
  const data = new Uint8Array(await readFile(path));
  try {
    return await getDocumentProxy(data, {
      verbosity: SILENT,
      enableXfa: false,
      disableFontFace: true,
    });
  } catch (error) {
    const isProtected = error instanceof Error && error.name === 'PasswordException';
    throw new Unreadable(isProtected ? REASONS.password : REASONS.damaged);
  }
}
