import { AtriumError, type Agent, type CreateAgent } from '@atrium/sdk';
import { proposeSlug } from '../integrations/propose-slug.ts';
import { isToolName, type ToolName } from './tools.ts';
import { fieldErrors } from '../../../ui/forms/field-errors.ts';

/** What the form holds. */
export interface AgentValues {
  name: string;
  /** Undefined: follows the name. */
  slug: string | undefined;
  description: string;
  instructions: string;
  /** Empty: the server's default. */
  model: string;
  tools: readonly ToolName[];
  mcpServerIds: readonly string[];
  isEverywhere: boolean;
  projectIds: readonly string[];
  isEnabled: boolean;
}

export const LONGEST_INSTRUCTIONS = 8_000;

/** Members choose projects. Owners and admins may leave the choice open. */
export function newValues(isAdmin: boolean): AgentValues {
  return {
    name: '',
    slug: undefined,
    description: '',
    instructions: '',
    model: '',
    tools: [],
    mcpServerIds: [],
    isEverywhere: isAdmin,
    projectIds: [],
    isEnabled: true,
  };
}

export function valuesOf(agent: Agent): AgentValues {
  return {
    ...agent,
    description: agent.description ?? '',
    model: agent.model ?? '',
    tools: agent.tools.filter(isToolName),
    isEverywhere: agent.projectIds.length === 0,
  };
}

export function slugOf({ slug, name }: AgentValues): string {
  return slug ?? proposeSlug(name);
}

export function bodyOf(values: AgentValues): CreateAgent {
  const { name, instructions, tools, mcpServerIds, projectIds, isEnabled } = values;
  return {
    slug: slugOf(values),
    name,
    description: values.description.trim() || null,
    instructions,
    model: values.model || null,
    tools: [...tools],
    mcpServerIds: [...mcpServerIds],
    projectIds: values.isEverywhere ? [] : [...projectIds],
    isEnabled,
  };
}

/** What is wrong before anything is sent: no choice of projects would mean all of them. */
export function findProblem({ isEverywhere, projectIds }: AgentValues): Record<string, string> {
  if (isEverywhere || projectIds.length > 0) return {};
  return { projectIds: 'Choose at least one project.' };
}

/** What the server found wrong with each field. */
export function problemsOf(error: unknown, slug: string): Record<string, string> {
  if (!(error instanceof AtriumError)) return {};
  if (error.reason === 'slug_taken') {
    return {
      slug: `@${slug} is taken by a model, an integration or another agent, which may be archived. Choose another one.`,
    };
  }
  if (error.reason === 'role' || error.reason === 'not_project_member') {
    return { projectIds: error.message };
  }
  return fieldErrors(error);
}
