import type { Context } from '../../core/context.ts';
import { isHandle } from '../../core/handle.ts';
import { listReadings, parseMentions } from '../../text/mentions.ts';
import { findNamed, listNamedMentions } from '../../text/named-people.ts';
import { isModelName } from '../mentions/service.ts';
import { findNamesakes } from './naming/store.ts';
import type { MessageRow, PostingAccess, SessionAccess } from './store.ts';

const MOST_PEOPLE = 50;

/** For a body that mentions nobody. */
export const NOBODY: Omit<PostingAccess, keyof SessionAccess | 'parentId'> = {
  answeringNames: [],
  people: {},
  answersPlainly: false,
  mayBroadcast: false,
  takenNames: [],
  isUnnamed: false,
};

/** What could be a person's handle. */
export function handlesIn(body: string): string[] {
  return listReadings(body).filter(isHandle);
}

interface Mentionable extends Pick<PostingAccess, 'people'> {
  sessionId: string;
  /** Whether an agent or an MCP server answers to it here. */
  answers: (slug: string) => boolean;
}

/**
 * The mentions of a body, and the people they name: by handle, or by a name that only one reader of the
 * session has. A handle comes before a name, and a model's name before both.
 */
export async function readMentions(
  ctx: Pick<Context, 'db' | 'orgId' | 'models'>,
  body: string,
  { sessionId, people, answers }: Mentionable,
): Promise<Pick<MessageRow, 'mentions' | 'mentionedUserIds'>> {
  const isPerson = (slug: string) => Object.hasOwn(people, slug) && !isModelName(ctx, slug);
  const isKnown = (slug: string) => isPerson(slug) || isModelName(ctx, slug) || answers(slug);
  const mentions = parseMentions(body, isKnown);
  const byHandle = mentions.filter(isPerson).map((slug) => people[slug] ?? '');
  const byName = await findByName(ctx, sessionId, body, isKnown);
  const mentionedUserIds = [...new Set([...byHandle, ...byName])].slice(0, MOST_PEOPLE);
  return { mentions, mentionedUserIds };
}

async function findByName(
  ctx: Pick<Context, 'db' | 'orgId'>,
  sessionId: string,
  body: string,
  isKnown: (slug: string) => boolean,
): Promise<string[]> {
  const named = body.includes('@') ? listNamedMentions(body, isKnown) : [];
  if (named.length === 0) return [];
  const { people, taken } = await findNamesakes(
    ctx,
    sessionId,
    [...new Set(named.flatMap(({ keys }) => keys))],
    named.map(({ slug }) => slug),
  );
  return named
    .filter(({ slug }) => !taken.includes(slug))
    .map((mention) => findNamed(mention, people))
    .flatMap((found) => (found.length === 1 ? found.map(({ userId }) => userId) : []));
}
