import { z } from 'zod';
import { optional } from '../../core/fields.ts';
import { page, projectSlug, READS, size } from '../../mcp-endpoint/tool-parts.ts';
import { defineMcpTool } from '../../mcp-endpoint/tool.ts';
import { presentSession } from './present.ts';
import { ListSessions, SessionPage } from './schema.ts';
import { listSessions } from './service.ts';

export const listSessionsTool = defineMcpTool({
  name: 'list_sessions',
  title: 'List sessions',
  description: 'Lists the sessions (conversations) of a Project, most recently active first.',
  scope: 'sessions:read',
  ...READS,
  input: z.strictObject({
    slug: projectSlug(),
    status: optional(ListSessions.shape.status.unwrap())
      .transform((status) => status ?? 'ACTIVE')
      .meta({
        description: 'ARCHIVED lists archived sessions instead. Default: ACTIVE.',
      }),
    page: page(),
    limit: size(20),
  }),
  output: SessionPage,
  async run(ctx, { slug, ...query }) {
    const { items, total } = await listSessions(ctx, slug, query);
    const { page, limit } = query;
    return { items: items.map(presentSession), total, page, limit };
  },
});
