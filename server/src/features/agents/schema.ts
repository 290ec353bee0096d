import { z } from 'zod';
import {
  clearable,
  description,
  listOf,
  mentionSlug,
  name,
  optional,
  pathId,
  queryFlag,
  recordId,
  text,
  timestamp,
} from '../../core/fields.ts';
import { TOOL_NAMES } from './tools/built-in/names.ts';

const ToolName = z.enum(TOOL_NAMES);

export const Agent = z
  .object({
    id: recordId(),
    slug: z.string().meta({ description: 'The name to mention it by, after the `@`.' }),
    name: z.string(),
    description: z.string().nullable(),
    instructions: z.string(),
    model: z
      .string()
      .nullable()
      .meta({ description: "The slug of its model. Null: the server's default." }),
    tools: z.array(z.string()).meta({ description: 'The built-in tools that it may use.' }),
    mcpServerIds: z.array(recordId()).meta({
      description: 'MCP servers whose tools it may use, in the Projects that they serve.',
    }),
    projectIds: z
      .array(recordId())
      .meta({ description: 'The Projects it answers in. Empty: every Project.' }),
    isEnabled: z.boolean(),
    createdById: recordId(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    archivedAt: timestamp().nullable(),
  })
  .meta({ id: 'Agent' });

export const ListAgents = z.strictObject({
  archived: queryFlag('Lists archived agents instead, the latest 200 of them.'),
});

export const AgentList = listOf(Agent).meta({ id: 'AgentList' });

const MOST_SERVERS = 20;
const MOST_PROJECTS = 200;

const distinct = <T>(values: T[]) => [...new Set(values)];
const ids = (most: number) =>
  z
    .array(text({ max: 50 }))
    .max(most)
    .transform(distinct);

const fields = {
  instructions: text({ min: 0, max: 8000 }).meta({
    description: 'What it is for and how it answers. Only people who see the agent can read them.',
  }),
  model: z
    .string()
    .trim()
    .toLowerCase()
    .meta({ description: "The slug of a configured model. Null: the server's default." }),
  tools: z.array(ToolName).max(TOOL_NAMES.length).transform(distinct).meta({
    description:
      'Built-in tools, off unless listed. Files that are too long for a prompt can always be read.',
  }),
  mcpServerIds: ids(MOST_SERVERS),
  projectIds: ids(MOST_PROJECTS).meta({
    description: 'Empty: every Project, which only an OWNER or ADMIN may choose.',
  }),
  isEnabled: z.boolean().meta({ description: 'Whether it answers. Default: true.' }),
};

export const CreateAgent = z
  .strictObject({
    slug: mentionSlug(),
    name: name(),
    description: optional(description()),
    instructions: optional(fields.instructions),
    model: optional(fields.model),
    tools: optional(fields.tools),
    mcpServerIds: optional(fields.mcpServerIds),
    projectIds: optional(fields.projectIds),
    isEnabled: optional(fields.isEnabled),
  })
  .meta({ id: 'CreateAgent' });

export const UpdateAgent = z
  .strictObject({
    slug: optional(mentionSlug()),
    name: optional(name()),
    description: clearable(description()),
    instructions: clearable(fields.instructions),
    model: clearable(fields.model),
    tools: clearable(fields.tools),
    mcpServerIds: clearable(fields.mcpServerIds),
    projectIds: clearable(fields.projectIds),
    isEnabled: optional(fields.isEnabled),
  })
  .meta({ id: 'UpdateAgent' });

export const AgentPath = z.object({ id: pathId('agent') });

export type Agent = z.output<typeof Agent>;
export type ListAgents = z.output<typeof ListAgents>;
export type CreateAgent = z.output<typeof CreateAgent>;
export type UpdateAgent = z.output<typeof UpdateAgent>;
