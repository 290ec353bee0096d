import type { Context } from '../../core/context.ts';
import type { MemoryRow } from './store.ts';

/** What decides who sees a memory. */
export type Sharing = Pick<MemoryRow, 'visibility' | 'projectId' | 'ownerUserId'>;

/** The same value as the generated column `scope`. */
export function scopeOf({ visibility, projectId, ownerUserId }: Sharing): string {
  if (visibility === 'ORG') return 'ORG';
  return (visibility === 'PROJECT' ? projectId : ownerUserId) ?? '';
}

export function isShared({ visibility }: Sharing): boolean {
  return visibility !== 'PRIVATE';
}

/** Tells everyone who can see a memory shared like this. */
export function announce(
  ctx: Pick<Context, 'hints' | 'orgId' | 'db'>,
  memoryId: string,
  sharing: Sharing,
): void {
  const { visibility, projectId, ownerUserId } = sharing;
  ctx.hints.announce(ctx, {
    type: 'memory.changed',
    memoryId,
    ...(visibility === 'PROJECT' && { projectId: projectId ?? '' }),
    ...(visibility === 'PRIVATE' && { to: ownerUserId ?? '' }),
  });
}
