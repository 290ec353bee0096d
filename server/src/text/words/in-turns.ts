import { createFairTurns } from '../../core/fair-turns.ts';

/** Work in steps that are short enough for the event loop. */
export type Steps<T> = Generator<void, T, void>;

const turns = createFairTurns();

/** Runs the steps one by one, taking turns with other orgs and the rest of the event loop. */
export async function inTurns<T>(orgId: string, steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = await turns.take(orgId, () => steps.next());
    if (step.done) return step.value;
  }
}

/** Runs all steps at once, when nobody else is waiting. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
