import type { CreateAgent } from '@atrium/sdk';

export type ToolName = NonNullable<CreateAgent['tools']>[number];

/** The built-in tools, in words. The compiler asks for each that the API knows. */
export const TOOLS: Record<ToolName, { label: string; hint: string }> = {
  search_memory: {
    label: 'Search memory',
    hint: 'Looks things up in what everyone in the session may read.',
  },
  remember: {
    label: 'Remember',
    hint: 'Saves what it learns to the project’s memory, and says so in its answer.',
  },
};

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(TOOLS, name);
}
