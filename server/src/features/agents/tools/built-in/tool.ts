import { z } from 'zod';
import type { Context } from '../../../../core/context.ts';
import { AppError } from '../../../../core/errors.ts';
import type { Question } from '../../../messages/replies/service.ts';
import type { CallResult, SourceTool } from '../tools.ts';

/** On whose behalf a built-in tool runs: this agent, asked by whoever wrote the question. */
export interface ToolPlace {
  ctx: Context;
  question: Question;
  agent: { id: string; slug: string };
}

interface Definition<Input extends z.ZodType> {
  name: string;
  description: string;
  input: Input;
  /** An AppError that it throws is told to the model. */
  run(place: ToolPlace, input: z.output<Input>): Promise<CallResult>;
}

export type BuiltInTool = (place: ToolPlace) => SourceTool;

export function defineTool<Input extends z.ZodType>(definition: Definition<Input>): BuiltInTool {
  const { name, description, input } = definition;
  const inputSchema = z.toJSONSchema(input, { io: 'input' });
  return (place) => ({
    name,
    description,
    inputSchema,
    async call(given, signal) {
      signal.throwIfAborted();
      const parsed = input.safeParse(given);
      if (!parsed.success) return refused(z.prettifyError(parsed.error));
      try {
        return await definition.run(place, parsed.data);
      } catch (error) {
        if (error instanceof AppError) return refused(error.message);
        place.ctx.log.error({ err: error, tool: name }, 'a built-in tool failed');
        return refused('The tool failed.');
      }
    },
  });
}

export function refused(text: string): CallResult {
  return { text, isError: true };
}
