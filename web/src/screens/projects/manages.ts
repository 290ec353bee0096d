import type { Project } from '@atrium/sdk';
import { useWorkspace } from '../../data/workspace.tsx';

/** Only a project's creator, OWNERs and ADMINs may change it, its access or its members. */
export function useManages(project: Project): boolean {
  const { profile, isAdmin } = useWorkspace();
  return isAdmin || project.createdById === profile.userId;
}
