import type {
  CreateProject,
  ListProjectsParams,
  Project,
  ProjectMember,
  UpdateProject,
} from './types.ts';

/** @deprecated Use `Project`. */
export type Space = Project;
/** @deprecated Use `ProjectMember`. */
export type SpaceMember = ProjectMember;
/** @deprecated Use `CreateProject`. */
export type CreateSpace = CreateProject;
/** @deprecated Use `UpdateProject`. */
export type UpdateSpace = UpdateProject;
/** @deprecated Use `ListProjectsParams`. */
export type ListSpacesParams = ListProjectsParams;
