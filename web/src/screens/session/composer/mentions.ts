import type { Agent, McpServer, Member, Model } from '@atrium/sdk';
import { BROADCASTS, wordOf, type Broadcast } from '../../../../../server/src/text/group-words.ts';
import { fold } from '../../../ui/text/fold.ts';
import { findOpenFence } from './fences.ts';
import type { Suggested } from './suggestion-list.tsx';

/** Someone or something that can be mentioned with @. */
export interface Suggestion extends Suggested {
  kind: 'agent' | 'integration' | 'person' | 'group';
  /** What replaces the typed text. */
  text: string;
  /** Lower-case words to compare with the typed text. */
  words: string[];
}

export interface MentionQuery {
  /** The position of the @. */
  from: number;
  /** The text after it, up to the caret. */
  query: string;
}

/** Letters of all scripts, because people are found by name too. */
const TYPED = /@(?<![\p{L}\p{N}_][\p{M}\u200c\u200d]*@)([\p{L}\p{M}\p{N}._:-]{0,40})$/u;

/** The mention being typed before the caret, if any. In code, an @ is just an @. */
export function findMentionQuery(text: string, caret: number): MentionQuery | undefined {
  const before = text.slice(Math.max(0, caret - 60), caret);
  const found = TYPED.exec(before);
  if (!found) return undefined;
  const from = caret - found[0].length;
  return isInCode(text.slice(0, from)) ? undefined : { from, query: found[1] ?? '' };
}

export function isInCode(before: string): boolean {
  if (findOpenFence(before) !== undefined) return true;
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return ((line.match(/`/g)?.length ?? 0) & 1) === 1;
}

interface Known {
  models: readonly Model[];
  /** Those that answer in this project. */
  agents: readonly Agent[];
  servers: readonly McpServer[];
  /** Everybody else in the organisation. */
  people: readonly Member[];
  /** Why somebody can't be mentioned here. */
  refusalOf: (userId: string) => string | undefined;
  projectId: string;
  /** Who answers `@model` here. */
  sessionModel: string | null;
  groups: Groups;
}

export interface Groups {
  /** Why the person can't use @here and @everyone here. */
  refusal: string | undefined;
  isTaken: (word: string) => boolean;
  /** How many people they reach, once that is known. */
  counts: { here: number; everyone: number } | undefined;
}

/** People of the project first, then who answers, and at the end people who can't be mentioned here. */
export function listSuggestions(known: Known): Suggestion[] {
  const { models, projectId } = known;
  const servers = known.servers.filter(
    ({ projectIds }) => projectIds.length === 0 || projectIds.includes(projectId),
  );
  const usual = known.sessionModel ?? models.find(({ isDefault }) => isDefault)?.slug;
  const people = known.people.map((member) =>
    suggestPerson(member, known.refusalOf(member.userId)),
  );
  return [
    ...people.filter(({ refusal }) => refusal === undefined),
    ...suggestGroups(known.groups).filter(({ refusal }) => refusal === undefined),
    suggestAgent('model', usual ? `answers here: ${usual}` : "this session's model"),
    ...known.agents.map(({ slug, name, description }) => ({
      ...suggestAgent(slug, description ? `${name} · ${description}` : name),
      words: [...wordsOf(slug), ...wordsOf(name)],
    })),
    ...models.map(({ slug, provider, model }) =>
      suggestAgent(
        slug,
        provider === 'builtin' ? 'built in, free' : `${provider} · ${model ?? slug}`,
      ),
    ),
    ...servers.map(suggestIntegration),
    ...people.filter(({ refusal }) => refusal !== undefined),
    ...suggestGroups(known.groups).filter(({ refusal }) => refusal !== undefined),
  ];
}

const WHO: Record<Broadcast, string> = {
  HERE: 'followers who are here now',
  EVERYONE: 'everybody who follows this session',
};

function suggestGroups({ refusal, isTaken, counts }: Groups): Suggestion[] {
  return BROADCASTS.filter((broadcast) => !isTaken(wordOf(broadcast))).map((broadcast) => {
    const word = wordOf(broadcast);
    const count = broadcast === 'HERE' ? counts?.here : counts?.everyone;
    return {
      id: `group-${word}`,
      kind: 'group',
      text: `@${word}`,
      title: `@${word}`,
      detail: count === undefined ? WHO[broadcast] : `${WHO[broadcast]} · ${inPeople(count)}`,
      words: [word],
      ...(refusal !== undefined && { refusal }),
    };
  });
}

export function inPeople(count: number): string {
  return count === 1 ? '1 person' : `${count} people`;
}

function suggestAgent(slug: string, detail: string): Suggestion {
  return {
    id: `agent-${slug}`,
    kind: 'agent',
    text: `@${slug}`,
    title: `@${slug}`,
    detail,
    words: wordsOf(slug),
  };
}

function suggestIntegration({ mentionSlug, displayName }: McpServer): Suggestion {
  return {
    id: `integration-${mentionSlug}`,
    kind: 'integration',
    text: `@${mentionSlug}`,
    title: `@${mentionSlug}`,
    detail: `tools from ${displayName}`,
    words: [...wordsOf(mentionSlug), ...wordsOf(displayName)],
  };
}

function suggestPerson(
  { userId, name, email, handle }: Member,
  refused: string | undefined,
): Suggestion {
  const refusal = refused ?? (handle === null ? 'has no handle yet' : undefined);
  return {
    id: `person-${userId}`,
    kind: 'person',
    text: `@${handle ?? ''}`,
    title: name || email,
    detail: `@${handle ?? ''}`,
    words: [name, handle ?? '', email.split('@', 1)[0] ?? ''].flatMap(wordsOf),
    ...(refusal !== undefined && { refusal }),
  };
}

/** Lower-case words without accents, after the whole text. */
export function wordsOf(text: string): string[] {
  const whole = fold(text);
  return [whole, ...whole.split(/[\s._:-]+/)].filter(Boolean);
}

/** How many people, how many who answer, and how many who can't be mentioned are shown. */
const MOST = [8, 10, 3] as const;

/** Within each group first those that begin with the typed text, then those with a word that does. */
export function matchSuggestions(all: readonly Suggestion[], query: string): Suggestion[] {
  const typed = fold(query);
  const groups = Map.groupBy(all, groupOf);
  const found = MOST.flatMap((most, group) => rank(groups.get(group) ?? [], typed).slice(0, most));
  // Whoever types a whole name means it.
  const isExact = ({ text, refusal }: Suggestion) => text === `@${typed}` && !refusal;
  return [...found.filter(isExact), ...found.filter((suggestion) => !isExact(suggestion))];
}

function groupOf({ kind, refusal }: Suggestion): number {
  if (refusal !== undefined) return 2;
  return kind === 'person' ? 0 : 1;
}

function rank(group: readonly Suggestion[], typed: string): Suggestion[] {
  const isWhole = ({ text, words: [whole] }: Suggestion) =>
    text.startsWith(`@${typed}`) || whole?.startsWith(typed) === true;
  const hasWord = ({ words }: Suggestion) => words.some((word) => word.startsWith(typed));
  return [
    ...group.filter(isWhole),
    ...group.filter((suggestion) => !isWhole(suggestion) && hasWord(suggestion)),
  ];
}
