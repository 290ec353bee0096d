import { z } from 'zod';
import { trimmedText } from '../../../../core/fields.ts';
import { shorten } from '../../../../text/shorten.ts';
import {
  importMemories,
  prepareImport,
  searchMemories,
  similarityOf,
  type RankedMemory,
} from '../../../memory/service.ts';
import { agentReader } from '../../reading/sources.ts';
import { asAsker } from './asker.ts';
import { defineTool, refused } from './tool.ts';

/**
 * What is this similar, and has all words of the new, says the same. The model alone would lose news: "costs 49
 * euros" and "costs 59 euros" have a similarity of 0.93.
 */
const SAME = { similarity: 0.9, lexical: 0.99 };
const LONGEST_NOTE = 200;

/** What is said among participants is not for everyone in the Project to find. */
const PRIVATE =
  "Not saved: this session is private, and everyone in the Project could read the Project's memory. Someone here can add a memory and choose who reads it.";

export const remember = defineTool({
  name: 'remember',
  description:
    "Saves a fact or a decision to this Project's memory, where everyone in the Project finds it. Save one thing at a time, in words that make sense on their own. Use it only if somebody asks for it in the question, or your instructions say so.",
  // As long as the longest query, so that all of it is compared with what is there.
  input: z.strictObject({ content: trimmedText({ max: 2000 }) }),
  async run(place, { content }) {
    const { ctx, question, agent } = place;
    if (question.isPrivate) return refused(PRIVATE);
    const acting = await asAsker(place);
    if (!acting) return refused('Not saved: the person who asked has left the organisation.');
    const reader = agentReader(ctx.orgId, question);
    const { found } = await searchMemories(ctx, { query: content, limit: 1 }, reader);
    const [same] = found;
    if (same && isSame(same.scores)) {
      const { id, content: there } = same.memory;
      const text = `Not saved: it is there already.\n\n[${id}] ${there}`;
      return { text, isError: false, citable: [{ memoryId: id }] };
    }
    const projectId = question.projectId;
    const newMemories = await prepareImport(acting, [
      { content, visibility: 'PROJECT', projectId },
    ]);
    const [id] = newMemories.map(({ memory }) => memory.id);
    const by = { agent: agent.slug, agentId: agent.id, messageId: question.id };
    // A run that died and starts again, or the same call twice in one step, adds nothing.
    if (id === undefined || (await importMemories(acting, newMemories, by)) === 0) {
      return { text: 'Not saved again: exactly this was saved before.', isError: false };
    }
    const line = shorten(content.replaceAll(/\s+/g, ' '), LONGEST_NOTE);
    const note = `Remembered for this Project: “${line}” [${id}]`;
    return { text: `Saved as [${id}].`, isError: false, citable: [{ memoryId: id }], note };
  },
});

function isSame(scores: RankedMemory['scores']): boolean {
  return similarityOf(scores) >= SAME.similarity && scores.lexical >= SAME.lexical;
}
