import type { Actor } from '../../context.ts';
import { forbidden } from '../../errors.ts';
import { requireLiveProject, requireProject } from '../projects/service.ts';
import type { MemoryRow, ProjectStanding } from './store.ts';

/** Changing and deleting: its owner; for what others see too, an OWNER, an ADMIN or a v1 key as well. */
export function requireKeeper(actor: Actor, memory: MemoryRow): void {
  if (actor.kind === 'org-key') return;
  if (actor.kind === 'user') {
    if (memory.ownerUserId === actor.userId) return;
    if (memory.visibility !== 'PRIVATE' && actor.role !== 'MEMBER') return;
  }
  throw forbidden(
    'role',
    'Only its owner, or an OWNER or ADMIN, may change or delete this memory.',
  );
}

/** A memory becomes PRIVATE only by its owner's hand: anybody else would make it vanish from themselves. */
export function requireOwnPrivacy(actor: Actor, memory: { ownerUserId: string | null }): void {
  if (actor.kind === 'org-key') {
    throw forbidden('role', 'A v1 key has no person behind it, so it cannot write PRIVATE memory.');
  }
  if (actor.kind === 'user' && memory.ownerUserId === actor.userId) return;
  throw forbidden('role', 'Only its owner may make a memory PRIVATE.');
}

export function requireReadable(project: ProjectStanding | undefined): ProjectStanding {
  return requireProject(project);
}

export function requireWritable(project: ProjectStanding | undefined): void {
  requireLiveProject(requireProject(project).archivedAt);
}
