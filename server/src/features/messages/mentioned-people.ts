import type { Context } from '../../core/context.ts';
import { isHandle } from '../../core/handle.ts';
import { isModelName } from '../mentions/service.ts';
import { listReadings } from './mentions.ts';

const MOST_PEOPLE = 50;

/** What could be a person's handle. */
export function handlesIn(body: string): string[] {
  return listReadings(body).filter(isHandle);
}

/** The ids of the people whom these mentions name. A name that a model has too is the model's. */
export function mentionedPeople(
  ctx: Pick<Context, 'models'>,
  mentions: readonly string[],
  people: Readonly<Record<string, string>>,
): string[] {
  return mentions
    .filter((slug) => Object.hasOwn(people, slug) && !isModelName(ctx, slug))
    .slice(0, MOST_PEOPLE)
    .map((slug) => people[slug] ?? '');
}
