import { randomInt } from 'node:crypto';
import type { UserContext } from '../../context.ts';
import { conflict, notFound } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { archived, requireLive, requireManager, requireMember } from './policy.ts';
import type { CreateProject, UpdateProject } from './schema.ts';
import { slugify } from './slug.ts';
import {
  archiveProject as archiveRow,
  deleteProjectMember,
  findProject,
  findProjectMember,
  insertProject,
  insertProjectMember,
  listProjectMembers as listMemberRows,
  listVisibleProjects,
  updateProject as updateRow,
  type NewProject,
  type ProjectMemberRow,
  type ProjectRow,
} from './store.ts';

export function listProjects(ctx: UserContext, paging: { page: number; limit: number }) {
  return listVisibleProjects(ctx, paging);
}

export async function getProject(ctx: UserContext, projectId: string): Promise<ProjectRow> {
  const project = await findProject(ctx, projectId);
  if (!project) throw notFound('This Project');
  requireMember(project);
  return project;
}

export async function createProject(ctx: UserContext, input: CreateProject): Promise<ProjectRow> {
  const { name, description = null, tags = [], access = 'ORG' } = input;
  const draft = { id: newId(), name, description, tags, access };
  const slug = slugify(name);
  if (slug === '') return createUnnamedProject(ctx, draft);
  const project = await insertProject(ctx, { ...draft, slug });
  if (!project) {
    throw conflict('slug_taken', `This org already has a Project with the slug "${slug}".`, {
      slug,
    });
  }
  return project;
}

/** A name that has no letters to make a slug of gets a random one, which can only clash by chance. */
async function createUnnamedProject(
  ctx: UserContext,
  draft: Omit<NewProject, 'slug'>,
): Promise<ProjectRow> {
  for (;;) {
    const project = await insertProject(ctx, { ...draft, slug: `project-${randomSuffix()}` });
    if (project) return project;
  }
}

export async function updateProject(
  ctx: UserContext,
  projectId: string,
  input: UpdateProject,
): Promise<ProjectRow> {
  const project = await getManagedProject(ctx, projectId);
  const { name, description, tags, access } = input;
  const changes = { name, description, access, tags: tags === null ? [] : tags };
  if (Object.values(changes).every((value) => value === undefined)) return project;
  const updated = await updateRow(ctx, projectId, changes);
  if (!updated) throw archived();
  return updated;
}

export async function archiveProject(ctx: UserContext, projectId: string): Promise<void> {
  const project = await getProject(ctx, projectId);
  requireManager(ctx, project);
  await archiveRow(ctx, projectId);
}

export async function listProjectMembers(
  ctx: UserContext,
  projectId: string,
): Promise<ProjectMemberRow[]> {
  await getProject(ctx, projectId);
  return listMemberRows(ctx, projectId);
}

export async function addProjectMember(
  ctx: UserContext,
  projectId: string,
  userId: string,
): Promise<ProjectMemberRow> {
  await getManagedProject(ctx, projectId);
  if (!(await insertProjectMember(ctx, projectId, userId)))
    throw notFound('This member of the org');
  const member = await findProjectMember(ctx, projectId, userId);
  if (!member) throw notFound('This member of the org');
  return member;
}

/** Takes back an addition; people may leave by themselves. */
export async function removeProjectMember(
  ctx: UserContext,
  projectId: string,
  userId: string,
): Promise<void> {
  const project = await getProject(ctx, projectId);
  if (userId !== ctx.actor.userId) requireManager(ctx, project);
  requireLive(project);
  if (!(await deleteProjectMember(ctx, projectId, userId)))
    throw notFound('This addition to the Project');
}

async function getManagedProject(ctx: UserContext, projectId: string): Promise<ProjectRow> {
  const project = await getProject(ctx, projectId);
  requireManager(ctx, project);
  requireLive(project);
  return project;
}

const SUFFIX_ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

function randomSuffix(): string {
  return Array.from({ length: 6 }, () =>
    SUFFIX_ALPHABET.charAt(randomInt(SUFFIX_ALPHABET.length)),
  ).join('');
}
