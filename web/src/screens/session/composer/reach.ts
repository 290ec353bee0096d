import type { Member } from '@atrium/sdk';
import { parseMentions } from '../../../../../server/src/text/mentions.ts';
import {
  broadcastIn,
  GROUP_WORDS,
  type Broadcast,
} from '../../../../../server/src/text/group-words.ts';
import { findNamed, listNamedMentions } from '../../../../../server/src/text/named-people.ts';
import { scoreMatch } from '../../../ui/text/fuzzy-match.ts';

/** A member, and whether they can be mentioned here. */
export type Mentionable = Pick<Member, 'userId' | 'name' | 'handle'> & {
  isHere: boolean;
  /** Why they can't be mentioned here. */
  refusal: string | undefined;
};

interface Known {
  people: readonly Mentionable[];
  answers: (slug: string) => boolean;
  /** Why the person can't use @here and @everyone here. */
  refusal?: string | undefined;
}

/** A mention in a draft that tells nobody, why, and whom else it could mean. */
export interface Unreached {
  /** As written, with the @. */
  written: string;
  why: string;
  options: { handle: string; name: string }[];
}

export interface Reach {
  /** The people whom the draft mentions by name instead of by handle. */
  named: { written: string; person: Mentionable }[];
  unreached: Unreached[];
  /** The group that the draft is said to. */
  broadcast: Broadcast | null;
}

const MOST_OPTIONS = 3;
const EVERYONE = { handle: 'everyone', name: 'Everyone' };

/** What the server will make of the mentions in a draft, by the same rule. */
export function checkReach(text: string, { people, answers, refusal }: Known): Reach {
  const byHandle = new Map(people.map((person) => [person.handle, person]));
  const isKnown = (slug: string) => answers(slug) || byHandle.has(slug);
  const mentions = parseMentions(text, isKnown);
  const said = broadcastIn(mentions, isKnown);
  const broadcast = refusal === undefined ? said : null;
  const reach: Reach = { named: [], unreached: [], broadcast };
  for (const slug of mentions) {
    const person = answers(slug) ? undefined : byHandle.get(slug);
    const written = `@${slug}`;
    if (person?.refusal !== undefined) {
      reach.unreached.push({ written, why: `${person.name} ${person.refusal}`, options: [] });
    } else if (GROUP_WORDS.has(slug) && !isKnown(slug)) {
      const isGroup = broadcastIn([slug], isKnown) !== null;
      if (isGroup && refusal === undefined) continue;
      const why = isGroup ? `${written} notifies nobody: ${refusal}` : `${written} notifies nobody`;
      const options = isGroup || refusal !== undefined || isKnown('everyone') ? [] : [EVERYONE];
      reach.unreached.push({ written, why, options });
    }
  }
  for (const mention of listNamedMentions(text, isKnown)) {
    const { written } = mention;
    // A package such as @types/node, or an address.
    if (text.includes(`${written}/`)) continue;
    const found = findNamed(mention, people);
    const [person] = found;
    if (person && found.length === 1) reach.named.push({ written, person });
    else reach.unreached.push(explain(written, found, people));
  }
  return reach;
}

function explain(
  written: string,
  found: readonly Mentionable[],
  people: readonly Mentionable[],
): Unreached {
  if (found.length > 1) {
    const why = `${found.length} people here are called ${written.slice(1)}`;
    return { written, why, options: optionsOf(found) };
  }
  const close = people
    .filter(({ isHere }) => isHere)
    .map((person) => ({
      person,
      score: scoreMatch(written.slice(1), `${person.name} ${person.handle ?? ''}`),
    }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ person }) => person);
  return { written, why: `${written} notifies nobody here`, options: optionsOf(close) };
}

function optionsOf(people: readonly Mentionable[]): Unreached['options'] {
  return people
    .flatMap(({ handle, name }) => (handle === null ? [] : [{ handle, name }]))
    .slice(0, MOST_OPTIONS);
}
