import { createFairTurns } from '../../../fair-turns.ts';

/** Work that goes in steps; each is short enough for the event loop. */
export type Steps<T> = Generator<void, T, void>;

const turns = createFairTurns();

/** Takes the steps one by one, in turn with other orgs' and with everything else that the event loop serves. */
export async function inTurns<T>(orgId: string, steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = await turns.take(orgId, () => steps.next());
    if (step.done) return step.value;
  }
}

/** Takes them all at once, where nobody else waits. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
