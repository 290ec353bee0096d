import type { EventContext } from '../../../core/context.ts';
import type { EventOf } from '../../../events/list.ts';
import { expireUploadsAtCommit } from './store.ts';

/** What only somebody who leaves could read is deleted. The rest stays, as their messages do. */
export function dropUploads(ctx: EventContext, { userId }: EventOf<'member.removed'>): void {
  expireUploadsAtCommit(ctx, userId);
}
