import type { ProjectMemberRow, ProjectRow } from './store.ts';

export function presentProject(project: ProjectRow) {
  return {
    id: project.id,
    slug: project.slug,
    name: project.name,
    description: project.description,
    tags: project.tags,
    access: project.access,
    defaultAgent: project.defaultAgent,
    broadcasts: project.broadcasts,
    createdById: project.createdById,
    createdAt: project.createdAt.toISOString(),
    updatedAt: project.updatedAt.toISOString(),
    archivedAt: project.archivedAt?.toISOString() ?? null,
  };
}

export function presentProjectMember(member: ProjectMemberRow) {
  const { userId, email, name, handle, role, addedAt } = member;
  return { userId, email, name, handle, role, addedAt: addedAt?.toISOString() ?? null };
}
