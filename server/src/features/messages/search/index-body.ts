import { atOnce, inTurns } from '../../../text/words/in-turns.ts';
import { hashTerms, saltOf } from '../../../text/words/lexical.ts';
import { PIECE_CHARACTERS } from '../../../text/words/pieces.ts';

/** The hashes of a body's terms. Long bodies are read in turns with other work. */
export async function hashBody(orgId: string, body: string): Promise<number[]> {
  const steps = hashTerms(body, saltOf(orgId, null));
  return body.length <= PIECE_CHARACTERS ? atOnce(steps) : inTurns(orgId, steps);
}
