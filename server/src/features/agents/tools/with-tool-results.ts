import type { Outcome } from '../answering/outcome.ts';
import { readCitations } from '../reading/citations.ts';
import type { OpenTools } from './tools.ts';

const LONGEST_BODY = 20_000;

/** Adds what we know from the tools, and not from the model: what they changed, and what they found. */
export function withToolResults(outcome: Outcome, open: OpenTools): Outcome {
  const notes = open.notes.map((note) => `\n\n${note}`).join('');
  const room = Math.max(0, LONGEST_BODY - notes.length);
  const written =
    outcome.body.length <= room ? outcome.body : outcome.body.slice(0, room).toWellFormed();
  const cited = readCitations(written + notes, open.citable, outcome.citations);
  return { ...outcome, ...cited, toolCalls: open.calls };
}
