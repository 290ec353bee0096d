import { defineRoute, type Route } from '../../http/route.ts';
import { presentProject } from './present.ts';
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
  updateProject,
} from './service.ts';
import type { ProjectMemberRow } from './store.ts';

const projectExample = {
  id: 'cmf3k2v8q0001x5p7h9d4t6wz',
  slug: 'pricing-2027',
  name: 'Pricing 2027',
  description: 'What we charge, and why.',
  tags: ['finance'],
  access: 'ORG',
  defaultAgent: null,
  createdById: 'cmf3k2v8q0000x5p7h9d4t6wz',
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
  archivedAt: null,
};
const memberExample = {
  userId: 'cmf3k2v8q0000x5p7h9d4t6wz',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'MEMBER',
  addedAt: '2026-11-15T09:31:00.000Z',
};

export const projectRoutes: Route[] = [
  defineRoute({
    operationId: 'listProjects',
    tag: 'Projects',
    method: 'GET',
    path: '/projects',
    summary: 'List Projects',
    description: 'The Projects that the caller can see, newest first, without archived ones.',
    auth: 'user',
    scope: 'projects:read',
    limit: 'read',
    request: { query: ListProjects },
    status: 200,
    response: ProjectPage,
    example: { response: { items: [projectExample], total: 1, page: 1, limit: 20 } },
    async handler(ctx, { query }) {
      const { items, total } = await listProjects(ctx, query);
      return { items: items.map(presentProject), total, page: query.page, limit: query.limit };
    },
  }),
  defineRoute({
    operationId: 'createProject',
    tag: 'Projects',
    method: 'POST',
    path: '/projects',
    summary: 'Create a Project',
    description:
      'The slug is made from the name. If the organisation already has a Project with that slug: 409 with the reason `slug_taken`.',
    auth: 'user',
    scope: 'projects:write',
    limit: 'write',
    request: { body: CreateProject },
    status: 201,
    response: Project,
    example: {
      request: { name: 'Pricing 2027', description: 'What we charge, and why.', tags: ['finance'] },
      response: projectExample,
    },
    handler: async (ctx, { body }) => presentProject(await createProject(ctx, body)),
  }),
  defineRoute({
    operationId: 'getProject',
    tag: 'Projects',
    method: 'GET',
    path: '/projects/{projectId}',
    summary: 'Get a Project',
    description: 'Archived Projects can still be read.',
    auth: 'user',
    scope: 'projects:read',
    limit: 'read',
    request: { params: ProjectPath },
    status: 200,
    response: Project,
    example: { response: projectExample },
    handler: async (ctx, { params }) => presentProject(await getProject(ctx, params.projectId)),
  }),
  defineRoute({
    operationId: 'updateProject',
    tag: 'Projects',
    method: 'PATCH',
    path: '/projects/{projectId}',
    summary: 'Change a Project',
    description:
      "Omitted fields stay as they are. null clears the description, the tags or the default agent. Only for the Project's creator, an OWNER or an ADMIN.",
    extension: true,
    auth: 'user',
    scope: 'projects:write',
    limit: 'write',
    request: { params: ProjectPath, body: UpdateProject },
    status: 200,
    response: Project,
    example: {
      request: { name: 'Pricing for 2027' },
      response: { ...projectExample, name: 'Pricing for 2027' },
    },
    handler: async (ctx, { params, body }) =>
      presentProject(await updateProject(ctx, params.projectId, body)),
  }),
  defineRoute({
    operationId: 'archiveProject',
    tag: 'Projects',
    method: 'DELETE',
    path: '/projects/{projectId}',
    summary: 'Archive a Project',
    description:
      "It disappears from the list, stays readable, accepts no more changes and keeps its slug. Archiving it again changes nothing. Only for the Project's creator, an OWNER or an ADMIN.",
    extension: true,
    auth: 'user',
    scope: 'projects:write',
    limit: 'write',
    request: { params: ProjectPath },
    status: 204,
    handler: (ctx, { params }) => archiveProject(ctx, params.projectId),
  }),
  defineRoute({
    operationId: 'listProjectMembers',
    tag: 'Projects',
    method: 'GET',
    path: '/projects/{projectId}/members',
    summary: "List a Project's members",
    description:
      'Everyone who belongs to the Project. For an ORG Project, that is everyone in the organisation.',
    extension: true,
    auth: 'user',
    scope: 'projects:read',
    limit: 'read',
    request: { params: ProjectPath },
    status: 200,
    response: ProjectMemberList,
    example: { response: { items: [memberExample], total: 1 } },
    async handler(ctx, { params }) {
      const members = await listProjectMembers(ctx, params.projectId);
      return { items: members.map(presentMember), total: members.length };
    },
  }),
  defineRoute({
    operationId: 'addProjectMember',
    tag: 'Projects',
    method: 'PUT',
    path: '/projects/{projectId}/members/{userId}',
    summary: 'Add a person to a Project',
    description:
      "The person must be a member of the organisation. Only for the Project's creator, an OWNER or an ADMIN.",
    extension: true,
    auth: 'user',
    scope: 'projects:write',
    limit: 'write',
    request: { params: ProjectMemberPath },
    status: 200,
    response: ProjectMember,
    example: { response: memberExample },
    handler: async (ctx, { params }) =>
      presentMember(await addProjectMember(ctx, params.projectId, params.userId)),
  }),
  defineRoute({
    operationId: 'removeProjectMember',
    tag: 'Projects',
    method: 'DELETE',
    path: '/projects/{projectId}/members/{userId}',
    summary: 'Remove a person from a Project',
    description:
      "Removes a person who was added. People can also remove themselves. The Project's creator, OWNERs and ADMINs always belong to it.",
    extension: true,
    auth: 'user',
    scope: 'projects:write',
    limit: 'write',
    request: { params: ProjectMemberPath },
    status: 204,
    handler: (ctx, { params }) => removeProjectMember(ctx, params.projectId, params.userId),
  }),
];

function presentMember(member: ProjectMemberRow) {
  return { ...member, addedAt: member.addedAt?.toISOString() ?? null };
}
