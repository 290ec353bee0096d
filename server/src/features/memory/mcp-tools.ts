import { z } from 'zod';
import { optional } from '../../core/fields.ts';
import { READS, size, WRITES } from '../../mcp-endpoint/tool-parts.ts';
import { defineMcpTool } from '../../mcp-endpoint/tool.ts';
import { presentMatches, presentMemory, presentPage } from './present.ts';
import {
  CreateMemory,
  ListMemories,
  Memory,
  MemoryMatches,
  MemoryPage,
  SearchMemories,
} from './schema.ts';
import { createMemory, listMemories, prepareMemory, searchMemories } from './service.ts';

export const searchMemoryTool = defineMcpTool({
  name: 'search_memory',
  title: 'Search memory',
  description:
    "Searches the team's memories by meaning and by words. Best matches come first. Ask in a full sentence. Finds only what you may see: your own PRIVATE memories, and those of your Projects and of the organisation.",
  scope: 'memory:read',
  ...READS,
  input: SearchMemories,
  output: MemoryMatches,
  prepare: (ctx, input) => searchMemories(ctx, input),
  run: async (_ctx, _input, result) => presentMatches(result),
});

export const addMemoryTool = defineMcpTool({
  name: 'add_memory',
  title: 'Remember something',
  description:
    'Saves a fact, decision or preference so that it can be found later. Save one thing at a time, in words that make sense on their own. PRIVATE: only you can see it. PROJECT: the members of the Project with this projectId. ORG: everyone in the organisation.',
  scope: 'memory:write',
  ...WRITES,
  input: CreateMemory,
  output: Memory,
  prepare: (ctx, input) => prepareMemory(ctx, input.content),
  run: async (ctx, input, encoded) => presentMemory(await createMemory(ctx, input, encoded)),
});

export const listMemoriesTool = defineMcpTool({
  name: 'list_memories',
  title: 'List memories',
  description:
    'Lists the memories that you may see, newest first. To find something, use search_memory instead. For older ones, send nextBefore from the last result as before.',
  scope: 'memory:read',
  ...READS,
  input: z.strictObject({
    visibility: optional(ListMemories.shape.visibility),
    projectId: optional(ListMemories.shape.projectId),
    tag: optional(ListMemories.shape.tag),
    before: optional(ListMemories.shape.before),
    limit: size(20),
  }),
  output: MemoryPage,
  run: async (ctx, input) => presentPage(await listMemories(ctx, input)),
});
