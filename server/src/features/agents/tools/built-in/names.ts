/** The built-in tools that an agent's definition can list. */
export const TOOL_NAMES = [
  'search_memory',
  'search_messages',
  'search_documents',
  'read_document',
  'remember',
  'list_tasks',
  'create_task',
  'update_task',
] as const;

export type ToolName = (typeof TOOL_NAMES)[number];
