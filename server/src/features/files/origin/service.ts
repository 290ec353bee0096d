import type { Context } from '../../../core/context.ts';
import { requireFound } from '../../../core/errors.ts';
import type { FileContent } from '../../../lists/file-content.ts';
import { mayBeInline } from '../media-types.ts';
import { contentOf } from '../service.ts';
import { findFile } from '../store.ts';
import { isValidAddress, type ContentAddress } from './address.ts';

/** What a signed address opens. 404 if it isn't one of ours, or has expired. */
export async function openAddress(
  ctx: Pick<Context, 'db' | 'clock' | 'tokens' | 'storage' | 'log'>,
  address: ContentAddress,
  signature: string,
): Promise<FileContent> {
  const file = isValidAddress(ctx, address, signature)
    ? await findFile({ db: ctx.db, orgId: address.orgId }, address.fileId)
    : undefined;
  const ready = file?.status === 'READY' ? file : undefined;
  const found = requireFound(ready, 'This file, or its address has expired, so it');
  return contentOf(ctx, found, address.disposition === 'inline' && mayBeInline(found.mediaType));
}
