import { z } from 'zod';
import { presentList } from '../../../lists/present.ts';
import { READS } from '../../../mcp-endpoint/tool-parts.ts';
import { defineMcpTool } from '../../../mcp-endpoint/tool.ts';
import { presentProvider } from './present.ts';
import { ModelProviderList } from './schema.ts';
import { listProviders } from './service.ts';

/** There is no tool to add one: its key would stay in the conversation of whatever calls it. */
export const listModelProvidersTool = defineMcpTool({
  name: 'list_model_providers',
  title: 'List model providers',
  description: 'Lists the model providers that OWNERs added, with their models and prices.',
  scope: 'org:read',
  roles: ['OWNER'],
  ...READS,
  input: z.strictObject({}),
  output: ModelProviderList,
  run: async (ctx) => presentList(await listProviders(ctx), presentProvider),
});
