import type { Failure } from './outcome.ts';
import type { ToolSource } from '../tools/tools.ts';

/** The built-in agent. It is free and needs no model and no key. */
export const RECALL = 'recall';

/** Who answers a mention, and with what. */
export interface Answerer {
  /** The name that the reply is shown under. */
  slug: string;
  /** The slug of a configured model, or `recall`. */
  model: string;
  /** What the team told this agent, in addition to what every agent is told. */
  instructions: string | null;
  toolSources: readonly ToolSource[];
  /** Those that read files, of an agent that does not list them: it has them if its prompt lacks text of a file. */
  fileTools?: ToolSource | undefined;
}

/** Nobody can answer. The failure is shown under the slug. */
export interface Unavailable {
  slug: string;
  failure: Failure;
}
