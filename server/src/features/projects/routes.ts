import { defineRoute, type Route } from '../../http/route.ts';
import { presentList, presentPage } from '../../lists/present.ts';
import { presentProject, presentProjectMember } from './present.ts';
import {
  CreateProject,
  ListProjects,
  Project,
  ProjectMember,
  ProjectMemberList,
  ProjectMemberPath,
  ProjectPage,
  ProjectPath,
  UpdateProject,
} from './schema.ts';
import {
  addProjectMember,
  archiveProject,
  createProject,
  getProject,
  listProjectMembers,
  listProjects,
  removeProjectMember,
  restoreProject,
  updateProject,
} from './service.ts';

const projectExample = {
  id: 'cmf3k2v8q0001x5p7h9d4t6wz',
  slug: 'pricing-2027',
  name: 'Pricing 2027',
  description: 'What we charge, and why.',
  tags: ['finance'],
  access: 'ORG',
  defaultAgent: null,
  broadcasts: 'EVERYONE',
  createdById: 'cmf3k2v8q0000x5p7h9d4t6wz',
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
  archivedAt: null,
};
const memberExample = {
  userId: 'cmf3k2v8q0000x5p7h9d4t6wz',
  email: 'ada@example.com',
  name: 'Ada',
  handle: 'ada',
  role: 'MEMBER',
  addedAt: '2026-11-15T09:31:00.000Z',
};

const read = { tag: 'Projects', auth: 'user', scope: 'projects:read', limit: 'read' } as const;
const write = { tag: 'Projects', auth: 'user', scope: 'projects:write', limit: 'write' } as const;

export const projectRoutes: Route[] = [
  defineRoute({
    ...read,
    operationId: 'listProjects',
    method: 'GET',
    path: '/projects',
    summary: 'List Projects',
    description:
      'The Projects that the caller can see, newest first, without archived ones. With `slug`, at most one.',
    request: { query: ListProjects },
    response: ProjectPage,
    example: { response: { items: [projectExample], total: 1, page: 1, limit: 20 } },
    handler: async (ctx, { query }) =>
      presentPage(await listProjects(ctx, query), query, presentProject),
  }),
  defineRoute({
    ...write,
    operationId: 'createProject',
    method: 'POST',
    path: '/projects',
    summary: 'Create a Project',
    description:
      'The slug is made from the name. If the organisation already has a Project with that slug: 409 with the reason `slug_taken`.',
    request: { body: CreateProject },
    // Its creator always belongs to it.
    mayReplay: 'always',
    status: 201,
    response: Project,
    example: {
      request: { name: 'Pricing 2027', description: 'What we charge, and why.', tags: ['finance'] },
      response: projectExample,
    },
    handler: async (ctx, { body }) => presentProject(await createProject(ctx, body)),
  }),
  defineRoute({
    ...read,
    operationId: 'getProject',
    method: 'GET',
    path: '/projects/{projectId}',
    summary: 'Get a Project',
    description: 'Archived Projects can still be read.',
    request: { params: ProjectPath },
    response: Project,
    example: { response: projectExample },
    handler: async (ctx, { params }) => presentProject(await getProject(ctx, params.projectId)),
  }),
  defineRoute({
    ...write,
    operationId: 'updateProject',
    method: 'PATCH',
    path: '/projects/{projectId}',
    summary: 'Change a Project',
    description:
      "Omitted fields stay as they are. null clears the description, the tags or the default agent. Only for the Project's creator, an OWNER or an ADMIN.",
    extension: true,
    request: { params: ProjectPath, body: UpdateProject },
    response: Project,
    example: {
      request: { name: 'Pricing for 2027' },
      response: { ...projectExample, name: 'Pricing for 2027' },
    },
    handler: async (ctx, { params, body }) =>
      presentProject(await updateProject(ctx, params.projectId, body)),
  }),
  defineRoute({
    ...write,
    operationId: 'archiveProject',
    method: 'DELETE',
    path: '/projects/{projectId}',
    summary: 'Archive a Project',
    description:
      "It disappears from the list, stays readable, accepts no more changes and keeps its slug. Archiving it again changes nothing. Only for the Project's creator, an OWNER or an ADMIN.",
    extension: true,
    request: { params: ProjectPath },
    status: 204,
    handler: (ctx, { params }) => archiveProject(ctx, params.projectId),
  }),
  defineRoute({
    ...write,
    operationId: 'restoreProject',
    method: 'POST',
    path: '/projects/{projectId}/restore',
    summary: 'Restore a Project',
    description:
      "Undoes an archive: the Project is listed again and can be changed. Restoring one that is not archived changes nothing. Only for the Project's creator, an OWNER or an ADMIN.",
    extension: true,
    request: { params: ProjectPath },
    mayReplay: (ctx, { params }) => getProject(ctx, params.projectId),
    response: Project,
    example: { response: projectExample },
    handler: async (ctx, { params }) => presentProject(await restoreProject(ctx, params.projectId)),
  }),
  defineRoute({
    ...read,
    operationId: 'listProjectMembers',
    method: 'GET',
    path: '/projects/{projectId}/members',
    summary: "List a Project's members",
    description:
      'Everyone who belongs to the Project. For an ORG Project, that is everyone in the organisation.',
    extension: true,
    request: { params: ProjectPath },
    response: ProjectMemberList,
    example: { response: { items: [memberExample], total: 1 } },
    handler: async (ctx, { params }) =>
      presentList(await listProjectMembers(ctx, params.projectId), presentProjectMember),
  }),
  defineRoute({
    ...write,
    operationId: 'addProjectMember',
    method: 'PUT',
    path: '/projects/{projectId}/members/{userId}',
    summary: 'Add a person to a Project',
    description:
      "The person must be a member of the organisation. Only for the Project's creator, an OWNER or an ADMIN.",
    extension: true,
    request: { params: ProjectMemberPath },
    response: ProjectMember,
    example: { response: memberExample },
    handler: async (ctx, { params }) =>
      presentProjectMember(await addProjectMember(ctx, params.projectId, params.userId)),
  }),
  defineRoute({
    ...write,
    operationId: 'removeProjectMember',
    method: 'DELETE',
    path: '/projects/{projectId}/members/{userId}',
    summary: 'Remove a person from a Project',
    description:
      "Removes a person who was added. People can also remove themselves. The Project's creator, OWNERs and ADMINs always belong to it.",
    extension: true,
    request: { params: ProjectMemberPath },
    status: 204,
    handler: (ctx, { params }) => removeProjectMember(ctx, params.projectId, params.userId),
  }),
];
