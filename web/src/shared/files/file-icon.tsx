import {
  File as PlainFile,
  FileImage,
  FileSpreadsheet,
  FileText,
  type LucideIcon,
} from 'lucide-react';
import type { Attachment } from '@atrium/sdk';
import { typeInWords } from './file-words.ts';

/** Few, because every session loads them. */
const ICONS: Record<string, LucideIcon> = {
  Picture: FileImage,
  PDF: FileText,
  Document: FileText,
  Book: FileText,
  Presentation: FileText,
  Text: FileText,
  Markdown: FileText,
  Spreadsheet: FileSpreadsheet,
};

export function FileIcon({ of, className }: { of: FileKind; className: string }) {
  const Icon = ICONS[typeInWords(of)] ?? PlainFile;
  return <Icon aria-hidden className={className} />;
}

type FileKind = Pick<Attachment, 'mediaType' | 'name'>;
