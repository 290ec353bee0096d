import { z } from 'zod';
import { presentList } from '../../lists/present.ts';
import { READS } from '../../mcp-endpoint/tool-parts.ts';
import { defineMcpTool } from '../../mcp-endpoint/tool.ts';
import { presentAgent } from './present.ts';
import { AgentList } from './schema.ts';
import { listAgents } from './service.ts';

export const listAgentsTool = defineMcpTool({
  name: 'list_agents',
  title: 'List agents',
  description:
    'Lists the agents that the team has defined, newest first. Mention one by its slug in post_message, in a Project that it answers in, and it replies.',
  scope: 'agents:read',
  ...READS,
  input: z.strictObject({}),
  output: AgentList,
  run: async (ctx) => presentList(await listAgents(ctx, { archived: false }), presentAgent),
});
