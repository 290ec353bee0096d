import { z } from 'zod';
import { presentPage } from '../../lists/present.ts';
import { page, READS, size } from '../../mcp-endpoint/tool-parts.ts';
import { defineMcpTool } from '../../mcp-endpoint/tool.ts';
import { presentProject } from './present.ts';
import { ProjectPage } from './schema.ts';
import { listProjects } from './service.ts';

export const listProjectsTool = defineMcpTool({
  name: 'list_projects',
  title: 'List Projects',
  description:
    "Lists the Projects that you may see, newest first. Use a Project's slug in the tools for sessions and messages, and its id as the projectId of memories.",
  scope: 'projects:read',
  ...READS,
  input: z.strictObject({ page: page(), limit: size(20) }),
  output: ProjectPage,
  run: async (ctx, input) => presentPage(await listProjects(ctx, input), input, presentProject),
});
