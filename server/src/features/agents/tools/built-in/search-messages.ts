import { z } from 'zod';
import { trimmedText } from '../../../../core/fields.ts';
import type { MessageMatch } from '../../../messages/search/service.ts';
import { findSaid } from '../../reading/sources.ts';
import { defineTool } from './tool.ts';

const USUAL = 8;
const MOST = 20;
/** Twenty of these are as much as a model gets from any tool. */
const LONGEST_SHOWN = 1_000;
/** How much of a long message is shown before the first word that was found. */
const LEAD = 200;

export const searchMessages = defineTool({
  name: 'search_messages',
  description:
    "Searches the messages of this Project's sessions by their words. Messages with more of the words, and with rarer ones, come first. Put a phrase that must occur in double quotes. In your answer, refer to a message by its id in square brackets.",
  input: z.strictObject({
    query: trimmedText({ max: 2000 }),
    limit: z.int().min(1).max(MOST).default(USUAL),
  }),
  async run({ ctx, question }, { query, limit }) {
    const found = await findSaid(ctx, question, query, limit);
    if (found.length === 0) return { text: 'Nothing was found.', isError: false };
    const citable = found.map(({ message }) => ({ messageId: message.id }));
    return { text: found.map(show).join('\n\n'), isError: false, citable };
  },
});

function show({ message, highlights }: MessageMatch): string {
  const { author, createdAt, session } = message;
  const about = `${author}, ${createdAt.slice(0, 10)}, in “${session.title ?? session.name}”`;
  return `[${message.id}] (${about})\n${shorten(message.body, highlights[0]?.start ?? 0)}`;
}

function shorten(body: string, foundAt: number): string {
  const characters = Array.from(body);
  if (characters.length <= LONGEST_SHOWN) return body;
  const from = Math.max(0, Math.min(foundAt - LEAD, characters.length - LONGEST_SHOWN));
  const shown = characters.slice(from, from + LONGEST_SHOWN).join('');
  return `${from > 0 ? '… ' : ''}${shown}${from + LONGEST_SHOWN < characters.length ? ' …' : ''}`;
}
