import { z } from 'zod';
import { trimmedText } from '../../../../core/fields.ts';
import { shorten } from '../../../../text/shorten.ts';
import type { RankedMemory } from '../../../memory/service.ts';
import { findMemories } from '../../reading/sources.ts';
import { defineTool } from './tool.ts';

const USUAL = 8;
const MOST = 20;
/** Twenty of these are as much as a model gets from any tool. */
const LONGEST_SHOWN = 1_000;

export const searchMemory = defineTool({
  name: 'search_memory',
  description:
    'Searches the memory of the organisation and of this Project by meaning and by words. Best matches come first. Ask in a full sentence. In your answer, refer to a memory by its id in square brackets.',
  input: z.strictObject({
    query: trimmedText({ max: 2000 }),
    limit: z.int().min(1).max(MOST).default(USUAL),
  }),
  async run({ ctx, question }, { query, limit }) {
    const found = await findMemories(ctx, question, query, limit);
    if (found.length === 0) return { text: 'Nothing was found.', isError: false };
    const citable = found.map(({ memory }) => ({ memoryId: memory.id }));
    return { text: found.map(show).join('\n\n'), isError: false, citable };
  },
});

function show({ memory: { id, content, createdAt, sourceUrl } }: RankedMemory): string {
  const about = [createdAt.toISOString().slice(0, 10), ...(sourceUrl === null ? [] : [sourceUrl])];
  return `[${id}] (${about.join(', ')})\n${shorten(content, LONGEST_SHOWN)}`;
}
