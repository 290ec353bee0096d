import { z } from 'zod';
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
  async run(ctx) {
    const agents = await listAgents(ctx);
    return { items: agents.map(presentAgent), total: agents.length };
  },
});
