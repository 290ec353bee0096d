import { StorageMissing } from '../../adapters/storage/storage.ts';
import type { UserContext } from '../../core/context.ts';
import { recordPage, type RecordQuery } from '../../lists/record-page.ts';
import { recordKind, type ArchivedContent, type RecordKind } from '../../lists/record-kind.ts';
import { scanFiles } from './exporting/store.ts';
import { presentFile } from './present.ts';
import { openContent } from './service.ts';
import type { FileRow } from './store.ts';

const readFiles = async (ctx: UserContext, query: RecordQuery) =>
  recordPage(await scanFiles(ctx, query));

/** The records, and the bytes of those that have some. `path` says where they are in the archive. */
export const files: RecordKind = {
  ...recordKind('files', readFiles, (file) => ({
    ...presentFile(file),
    path: hasContent(file) ? pathOf(file) : null,
  })),
  async readContents(ctx, query) {
    const { rows, next } = await readFiles(ctx, query);
    return { rows: rows.filter(hasContent).map((file) => contentOf(ctx, file)), next };
  },
};

function hasContent({ status, storageKey }: FileRow): boolean {
  return status === 'READY' && storageKey !== null;
}

function contentOf(ctx: UserContext, file: FileRow): ArchivedContent {
  return {
    path: pathOf(file),
    size: file.size,
    async open() {
      try {
        return await openContent(ctx, file);
      } catch (error) {
        // It was deleted a moment ago.
        if (error instanceof StorageMissing) return undefined;
        throw error;
      }
    },
  };
}

const MAX_NAME = 60;

/** One that every system can unpack, in a name of 100 bytes: the id makes it unique, the rest is for people. */
function pathOf({ id, name }: Pick<FileRow, 'id' | 'name'>): string {
  const plain = name.normalize('NFKD').replaceAll(/[^\w.-]+/g, '_');
  const ending = /\.\w{1,10}$/.exec(plain)?.[0] ?? '';
  const start = plain.slice(0, plain.length - ending.length).slice(0, MAX_NAME - ending.length);
  return `files/${id}-${start}${ending}`;
}
