import { scannedKind } from '../../lists/record-kind.ts';
import { presentProject, presentProjectMember } from './present.ts';
import { scanAddedMembers, scanProjects } from './store.ts';

export const projects = scannedKind('projects', scanProjects, presentProject);
export const projectMembers = scannedKind(
  'project-members',
  scanAddedMembers,
  ({ projectId, ...member }) => ({ projectId, ...presentProjectMember(member) }),
);
