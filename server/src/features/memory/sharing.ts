import type { SavedMemory } from '../../events/list.ts';
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

/** What an event says of a memory: who can see it, and not what it says. */
export function savedMemory(memory: Sharing & { id: string }): SavedMemory {
  const { id: memoryId, visibility, projectId, ownerUserId } = memory;
  return { memoryId, visibility, projectId, ownerUserId };
}
