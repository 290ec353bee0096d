import type { Actor } from '../../core/context.ts';
import { forbidden } from '../../core/errors.ts';
import { requireLiveProject, requireProject } from '../../access/project.ts';
import type { MemoryRow, ProjectStanding } from './store.ts';

/** Its owner may change and delete a memory. If others can see it, so may an OWNER, an ADMIN or a v1 key. */
export function requireKeeper(actor: Actor, memory: MemoryRow): void {
  if (actor.kind === 'org-key') return;
  if (actor.kind === 'user') {
    if (memory.ownerUserId === actor.userId) return;
    if (memory.visibility !== 'PRIVATE' && actor.role !== 'MEMBER') return;
  }
  throw forbidden(
    'role',
    'Only the owner of this memory, or an OWNER or ADMIN of the organisation, may change or delete it.',
  );
}

/** Only its owner may make a memory PRIVATE: anyone else could not see it any more. */
export function requireOwnPrivacy(actor: Actor, memory: { ownerUserId: string | null }): void {
  if (actor.kind === 'org-key') {
    throw forbidden(
      'role',
      'A v1 key does not belong to a person, so it cannot write PRIVATE memory.',
    );
  }
  if (actor.kind === 'user' && memory.ownerUserId === actor.userId) return;
  throw forbidden('role', 'Only the owner of a memory may make it PRIVATE.');
}

export function requireWritable(project: ProjectStanding | undefined): void {
  requireLiveProject(requireProject(project).archivedAt);
}
