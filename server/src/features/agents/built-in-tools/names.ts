/** The built-in tools that an agent's definition can list. */
export const TOOL_NAMES = ['search_memory', 'remember'] as const;

export type ToolName = (typeof TOOL_NAMES)[number];
