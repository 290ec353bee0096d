import type { ToolSource } from '../tools.ts';
import type { ToolName } from './names.ts';
import { readDocumentTool, searchDocumentsTool } from './documents.ts';
import { remember } from './remember.ts';
import { searchMemory } from './search-memory.ts';
import { searchMessages } from './search-messages.ts';
import { createTaskTool, listTasksTool, updateTaskTool } from './tasks.ts';
import type { BuiltInTool, ToolPlace } from './tool.ts';

/** A new tool joins here, and its name in names.ts. */
const TOOLS: Record<ToolName, BuiltInTool> = {
  search_memory: searchMemory,
  search_messages: searchMessages,
  search_documents: searchDocumentsTool,
  read_document: readDocumentTool,
  remember,
  list_tasks: listTasksTool,
  create_task: createTaskTool,
  update_task: updateTaskTool,
};

/** The listed tools. Calls are shown under the agent's own name, which no MCP server can have. */
export function builtInSource(place: ToolPlace, names: readonly string[]): ToolSource {
  // An older definition may list a tool that this version does not have.
  const tools = names.flatMap((name) =>
    Object.hasOwn(TOOLS, name) ? TOOLS[name as ToolName](place) : [],
  );
  return { name: place.agent.slug, open: async () => ({ tools, close: () => {} }) };
}
