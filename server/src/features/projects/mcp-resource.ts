import type { ListedResources } from '../../mcp-endpoint/resource.ts';
import { presentProject } from './present.ts';
import { getProjectBySlug, listProjects } from './service.ts';

export const projectResource: ListedResources = {
  name: 'project',
  title: 'Project',
  uriTemplate: 'atrium://projects/{slug}',
  description: 'A Project: its name, description, tags and access.',
  scopes: ['projects:read'],
  read: async (ctx, slug) => presentProject(await getProjectBySlug(ctx, slug)),
  async list(ctx, query) {
    const { items, total } = await listProjects(ctx, query);
    return {
      items: items.map(({ slug, name, description, updatedAt }) => ({
        uri: `atrium://projects/${slug}`,
        name: slug,
        title: name,
        ...(description !== null && { description }),
        annotations: { lastModified: updatedAt.toISOString() },
      })),
      total,
    };
  },
};
