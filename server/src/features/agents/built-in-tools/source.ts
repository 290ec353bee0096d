import type { ToolSource } from '../tools.ts';
import type { ToolName } from './names.ts';
import { remember } from './remember.ts';
import { searchMemory } from './search-memory.ts';
import type { BuiltInTool, ToolPlace } from './tool.ts';

/** A new tool joins here, and its name in names.ts. */
const TOOLS: Record<ToolName, BuiltInTool> = {
  search_memory: searchMemory,
  remember,
};

/** The listed tools. Calls are shown under the agent's own name, which no MCP server can have. */
export function builtInSource(place: ToolPlace, names: readonly string[]): ToolSource {
  // An older definition may list a tool that this version does not have.
  const tools = names.flatMap((name) =>
    Object.hasOwn(TOOLS, name) ? TOOLS[name as ToolName](place) : [],
  );
  return { name: place.agent.slug, open: async () => ({ tools, close: () => {} }) };
}
