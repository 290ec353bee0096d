import { randomBytes } from 'node:crypto';
import type { Atrium } from '../../../sdk-js/src/index.ts';

export interface Room {
  projectId: string;
  slug: string;
  id: string;
  path: string;
}

/** A session in its own project. */
export async function createRoom(client: Atrium, name: string): Promise<Room> {
  const project = await client.projects.create({ name: unique(name) });
  const { id } = await client.sessions.create(project.slug, { name: 'Chat' });
  const { slug } = project;
  return { projectId: project.id, slug, id, path: `/p/${slug}/s/${id}` };
}

/** A different name each time, because a repeated test finds what its first run left behind. */
export function unique(name: string): string {
  return `${name} ${randomBytes(3).toString('hex')}`;
}

export function uniqueEmail(name: string): string {
  return `${unique(name).replace(' ', '-')}@example.com`;
}
