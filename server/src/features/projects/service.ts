import { randomInt } from 'node:crypto';
import { DIRECT_SLUG } from '../../access/direct.ts';
import {
  projectArchived,
  requireLiveProject,
  requireManager,
  requireProject,
} from '../../access/project.ts';
import { withTransaction, type UserContext } from '../../core/context.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { emit } from '../../events/emit.ts';
import { slugify } from '../../text/slug.ts';
import { requireAnswerer } from '../mentions/service.ts';
import type { CreateProject, UpdateProject } from './schema.ts';
import {
  archiveProject as archiveRow,
  deleteProjectMember,
  findProject,
  findProjectBySlug,
  findProjectMember,
  insertProjectAtCommit,
  insertProjectMember,
  isSlugTaken,
  listProjectMembers as listMemberRows,
  restoreProject as restoreRow,
  updateProject as updateRow,
  type ProjectRow,
} from './store.ts';

export { listVisibleProjects as listProjects } from './store.ts';

export async function getProject(ctx: UserContext, projectId: string): Promise<ProjectRow> {
  return requireProject(await findProject(ctx, projectId));
}

export async function getProjectBySlug(ctx: UserContext, slug: string): Promise<ProjectRow> {
  return requireProject(await findProjectBySlug(ctx, slug));
}

export function createProject(ctx: UserContext, input: CreateProject): Promise<ProjectRow> {
  const { name, description = null, tags = [], access = 'ORG', broadcasts = 'EVERYONE' } = input;
  return withTransaction(ctx, async (inner) => {
    const slug = slugify(name) || (await findFreeSlug(inner));
    if (slug === DIRECT_SLUG) throw slugReserved();
    const createdAt = ctx.clock.now();
    const createdById = ctx.actor.userId;
    const fields = { slug, name, description, tags, access, broadcasts };
    const project = { id: newId(), ...fields, createdById, createdAt };
    insertProjectAtCommit(inner.db, ctx.orgId, project, () => slugTaken(slug));
    emit(inner, { type: 'project.created', projectId: project.id });
    return { ...project, defaultAgent: null, updatedAt: createdAt, archivedAt: null };
  });
}

function slugTaken(slug: string): Error {
  const message = `The organisation already has a Project with the slug "${slug}".`;
  return conflict('slug_taken', message, { slug });
}

function slugReserved(): Error {
  const slug = DIRECT_SLUG;
  const message = `The slug "${slug}" is reserved for direct messages. Choose another name.`;
  return conflict('slug_taken', message, { slug });
}

/** A name without letters gets a random slug. */
async function findFreeSlug(ctx: UserContext): Promise<string> {
  for (;;) {
    const slug = `project-${randomSuffix()}`;
    if (!(await isSlugTaken(ctx, slug))) return slug;
  }
}

export function updateProject(
  ctx: UserContext,
  projectId: string,
  input: UpdateProject,
): Promise<ProjectRow> {
  return withTransaction(ctx, async (inner) => {
    const project = await getManagedProject(inner, projectId);
    await requireAnswerer(inner, projectId, 'defaultAgent', input.defaultAgent);
    const { tags, ...others } = input;
    const changes = { ...others, tags: tags === null ? [] : tags };
    const changed = Object.entries(changes).filter(([, value]) => value !== undefined);
    if (changed.length === 0) return project;
    const updated = await updateRow(inner, projectId, changes);
    if (!updated) throw projectArchived();
    const fields = changed.map(([field]) => field);
    const changesAccess = input.access !== undefined;
    emit(inner, { type: 'project.updated', projectId, fields, changesAccess });
    return updated;
  });
}

export async function archiveProject(ctx: UserContext, projectId: string): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    const project = await getProject(inner, projectId);
    requireManager(ctx, project);
    if (!(await archiveRow(inner, projectId))) return;
    emit(inner, { type: 'project.archived', projectId });
  });
}

/** Restoring a Project that is not archived changes nothing. */
export function restoreProject(ctx: UserContext, projectId: string): Promise<ProjectRow> {
  return withTransaction(ctx, async (inner) => {
    requireManager(ctx, await getProject(inner, projectId));
    const restored = await restoreRow(inner, projectId);
    if (!restored) return getProject(inner, projectId);
    emit(inner, { type: 'project.restored', projectId });
    return restored;
  });
}

export async function listProjectMembers(ctx: UserContext, projectId: string) {
  await getProject(ctx, projectId);
  return listMemberRows(ctx, projectId);
}

export function addProjectMember(ctx: UserContext, projectId: string, userId: string) {
  return withTransaction(ctx, async (inner) => {
    await getManagedProject(inner, projectId);
    const isNew = await insertProjectMember(inner, projectId, userId);
    const member = await findProjectMember(inner, projectId, userId);
    if (!member) throw notFound('This member of the organisation');
    if (isNew) emit(inner, { type: 'project.member_added', projectId, userId });
    return member;
  });
}

/** Removes a person who was added. People may also remove themselves. */
export async function removeProjectMember(
  ctx: UserContext,
  projectId: string,
  userId: string,
): Promise<void> {
  await withTransaction(ctx, async (inner) => {
    const project = await getProject(inner, projectId);
    if (userId !== ctx.actor.userId) requireManager(ctx, project);
    requireLiveProject(project.archivedAt);
    if (!(await deleteProjectMember(inner, projectId, userId))) {
      throw notFound('This added member');
    }
    emit(inner, { type: 'project.member_removed', projectId, userId });
  });
}

export async function getManagedProject(ctx: UserContext, projectId: string): Promise<ProjectRow> {
  const project = await getProject(ctx, projectId);
  requireManager(ctx, project);
  requireLiveProject(project.archivedAt);
  return project;
}

const SUFFIX_ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

function randomSuffix(): string {
  return Array.from({ length: 6 }, () =>
    SUFFIX_ALPHABET.charAt(randomInt(SUFFIX_ALPHABET.length)),
  ).join('');
}
