import type { Project } from '@atrium/sdk';
import { useWorkspace } from '../../data/workspace.tsx';

/** Changing a Project, its access or its members is for its creator, OWNERs and ADMINs. */
export function useManages(project: Project): boolean {
  const { profile, isAdmin } = useWorkspace();
  return isAdmin || project.createdById === profile.userId;
}
