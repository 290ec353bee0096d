import type { Outcome } from './outcome.ts';
import type { OpenTools } from './tools.ts';

const LONGEST_BODY = 20_000;

/** Adds what we know from the tools, and not from the model: what they changed, and which memories they found. */
export function withToolResults(outcome: Outcome, open: OpenTools): Outcome {
  const notes = open.notes.map((note) => `\n\n${note}`).join('');
  const room = Math.max(0, LONGEST_BODY - notes.length);
  const written =
    outcome.body.length <= room ? outcome.body : outcome.body.slice(0, room).toWellFormed();
  const citations = [...outcome.citations];
  const body = (written + notes).replaceAll(/\[(c[a-z0-9]{24})\]/g, (reference, id: string) => {
    if (!open.memoryIds.has(id)) return reference;
    if (!citations.some(({ memoryId }) => memoryId === id)) citations.push({ memoryId: id });
    return `[${citations.findIndex(({ memoryId }) => memoryId === id) + 1}]`;
  });
  return { ...outcome, body, citations, toolCalls: open.calls };
}
