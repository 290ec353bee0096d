import type { UserContext } from '../../../core/context.ts';
import { createOrgLimit } from '../../../core/org-limit.ts';
import { withLocalCopy } from '../../files/service.ts';
import { readerOf } from '../reader.ts';
import { getFileWithText } from '../service.ts';
import type { FindInFile } from '../schema.ts';
import type { FileTextRow } from '../store.ts';
import { countOnPages } from './store.ts';

/** How many PDFs are opened for one organisation at a time, so that others find room. */
const limited = createOrgLimit(2);

/** How often words are on each page of a file, and where they are on one of them. */
export async function findInFile(ctx: UserContext, fileId: string, { query, page }: FindInFile) {
  const file = await getFileWithText(ctx, readerOf(ctx), fileId);
  const words = query.split(/\s+/).filter(Boolean);
  const pages = await countOnPages(ctx, fileId, words);
  const total = pages.reduce((sum, { count }) => sum + count, 0);
  const isThere = pages.some((one) => one.page === page);
  const boxes = isThere ? await findBoxes(ctx, file, page, words) : [];
  return { total, pages, page, boxes };
}

function findBoxes(ctx: UserContext, file: FileTextRow, page: number, words: readonly string[]) {
  const { mediaType, name } = file;
  if (mediaType !== 'application/pdf') return [];
  return limited(ctx.orgId, () =>
    withLocalCopy(ctx, file, (path) =>
      ctx.fileReader.findOnPage({ path, mediaType, name }, { page, words }),
    ),
  );
}
