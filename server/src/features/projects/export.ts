import { recordKind } from '../../lists/record-kind.ts';
import { presentProject, presentProjectMember } from './present.ts';
import { readAddedMembers, readProjects } from './service.ts';

export const projects = recordKind('projects', readProjects, presentProject);
export const projectMembers = recordKind(
  'project-members',
  readAddedMembers,
  ({ projectId, ...member }) => ({ projectId, ...presentProjectMember(member) }),
);
