import type { UserContext } from '../../core/context.ts';
import { forbidden } from '../../core/errors.ts';
import { hasOwnProject } from './connections/store.ts';
import type { MappingRow } from './mappings/store.ts';

/** Whoever may map a channel may see the connections: managers, and people who created a Project. */
export async function requireMapper(ctx: UserContext): Promise<void> {
  if (ctx.actor.role !== 'MEMBER' || (await hasOwnProject(ctx))) return;
  throw forbidden('role', "Only an OWNER, an ADMIN or a Project's creator can do this.");
}

/** The people in the channel read what agents answer, so this is for those who manage the organisation. */
export function requireSharer({ actor }: UserContext, sharesOrgMemory: boolean | undefined): void {
  if (sharesOrgMemory !== true || actor.role !== 'MEMBER') return;
  throw forbidden('role', 'Only an OWNER or an ADMIN can share ORG memory with a channel.');
}

/** Whoever maps a channel reads along, and lets the Project read along. */
export function requirePrivacy(
  { actor }: UserContext,
  { isPrivate }: { isPrivate: boolean },
): void {
  if (!isPrivate || actor.role !== 'MEMBER') return;
  throw forbidden('role', 'This channel is private. Only an OWNER or an ADMIN can map it.');
}

/** Anyone in the channel could then spend the organisation's credits. */
export function requireAnswers(
  { actor }: UserContext,
  answers: MappingRow['answers'] | undefined,
  before?: MappingRow['answers'],
): void {
  if (answers !== 'EVERYONE' || answers === before || actor.role !== 'MEMBER') return;
  throw forbidden('role', 'Only an OWNER or an ADMIN can let agents answer everyone in a channel.');
}
