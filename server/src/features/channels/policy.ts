import type { UserContext } from '../../context.ts';
import { forbidden } from '../../errors.ts';

/** Whoever may map a channel may see the connections: managers, and people who created a Project. */
export async function requireMapper(
  { actor }: UserContext,
  hasOwnProject: () => Promise<boolean>,
): Promise<void> {
  if (actor.role !== 'MEMBER' || (await hasOwnProject())) return;
  throw forbidden('role', "Only an OWNER, an ADMIN or a Project's creator can do this.");
}

/** The people in the channel read what agents answer, so this is for those who manage the organisation. */
export function requireSharer({ actor }: UserContext, sharesOrgMemory: boolean | undefined): void {
  if (sharesOrgMemory !== true || actor.role !== 'MEMBER') return;
  throw forbidden('role', 'Only an OWNER or an ADMIN can share ORG memory with a channel.');
}
