import type { CreateAgent } from '@atrium/sdk';

export type ToolName = NonNullable<CreateAgent['tools']>[number];

/** The built-in tools, in words. The compiler asks for each that the API knows. */
export const TOOLS: Record<ToolName, { label: string; hint: string }> = {
  search_memory: {
    label: 'Search memory',
    hint: 'Looks things up in what everyone in the session may read.',
  },
  search_messages: {
    label: 'Search messages',
    hint: 'Looks up what was said in the project’s sessions.',
  },
  search_documents: {
    label: 'Search files',
    hint: 'Looks things up in the texts of files that everyone in the session may read.',
  },
  read_document: {
    label: 'Read files',
    hint: 'Reads pages of these files. Agents can always read attached files that are long.',
  },
  remember: {
    label: 'Remember',
    hint: 'Saves what it learns to the project’s memory, and says so in its answer.',
  },
  list_tasks: {
    label: 'Read tasks',
    hint: 'Looks through the project’s tasks.',
  },
  create_task: {
    label: 'Propose tasks',
    hint: 'Suggests tasks, which people accept or decline.',
  },
  update_task: {
    label: 'Update tasks',
    hint: 'Changes accepted tasks and moves them up to review. Only people close them.',
  },
};

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(TOOLS, name);
}
