import type { Project, Session } from '@atrium/sdk';
import { useWorkspace } from './workspace.tsx';

/**
 * Only a project's creator, OWNERs and ADMINs may change it, its access or its members, or archive it. The
 * same goes for archiving a session.
 */
export function useManages(record: Project | Session): boolean {
  const { profile, isAdmin } = useWorkspace();
  return isAdmin || record.createdById === profile.userId;
}
