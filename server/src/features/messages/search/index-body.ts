import { atOnce, inTurns } from '../../../words/in-turns.ts';
import { hashTerms, saltOf } from '../../../words/lexical.ts';
import { PIECE_CHARACTERS } from '../../../words/pieces.ts';

/** The hashes of a body's terms. Long bodies are read in turns with other work. */
export async function hashBody(orgId: string, body: string): Promise<number[]> {
  const steps = hashTerms(body, saltOf(orgId, null));
  return body.length <= PIECE_CHARACTERS ? atOnce(steps) : inTurns(orgId, steps);
}
