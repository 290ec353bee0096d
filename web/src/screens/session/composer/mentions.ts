import type { Agent, McpServer, Member, Model } from '@atrium/sdk';
import { findOpenFence } from './fences.ts';

/** Someone or something that can be mentioned with @. */
export interface Suggestion {
  id: string;
  kind: 'agent' | 'integration' | 'person';
  /** What replaces the typed text. */
  text: string;
  title: string;
  detail: string;
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

function isInCode(before: string): boolean {
  if (findOpenFence(before) !== undefined) return true;
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return ((line.match(/`/g)?.length ?? 0) & 1) === 1;
}

interface Known {
  models: readonly Model[];
  /** Those that answer in this project. */
  agents: readonly Agent[];
  servers: readonly McpServer[];
  members: readonly Member[];
  projectId: string;
  /** Who answers `@model` here. */
  sessionModel: string | null;
}

export function listSuggestions(known: Known): Suggestion[] {
  const { models, projectId } = known;
  const servers = known.servers.filter(
    ({ projectIds }) => projectIds.length === 0 || projectIds.includes(projectId),
  );
  const usual = known.sessionModel ?? models.find(({ isDefault }) => isDefault)?.slug;
  const answering = new Set(['model', ...[...models, ...known.agents].map(({ slug }) => slug)]);
  for (const { mentionSlug } of known.servers) answering.add(mentionSlug);
  return [
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
    ...known.members.map((member) => suggestPerson(member, answering)),
  ];
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

/** A person's name after an @ is just text. If an agent has the same name, the @ is left out. */
function suggestPerson(
  { userId, name, email }: Member,
  answering: ReadonlySet<string>,
): Suggestion {
  const first = name.trim().split(/\s+/, 1)[0] || email.split('@', 1)[0] || email;
  const isTaken = answering.has(first.toLowerCase().replace(/[._:-]+$/, ''));
  return {
    id: `person-${userId}`,
    kind: 'person',
    text: isTaken ? name : `@${first}`,
    title: name,
    detail: 'mentions them without a notification',
    words: [...wordsOf(name), ...wordsOf(email.split('@', 1)[0] ?? '')],
  };
}

/** Lower-case words without accents, after the whole text. */
export function wordsOf(text: string): string[] {
  const whole = plain(text);
  return [whole, ...whole.split(/[\s._:-]+/)].filter(Boolean);
}

/** Ignores case and accents, so that "zoe" finds Zoë. */
function plain(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

const MOST = 10;

/** First those that begin with the typed text, then those with a word that does. Agents before people. */
export function matchSuggestions(all: readonly Suggestion[], query: string): Suggestion[] {
  const typed = plain(query);
  const whole = all.filter(({ words }) => words[0]?.startsWith(typed) ?? typed === '');
  const part = all.filter(
    (suggestion) =>
      !whole.includes(suggestion) && suggestion.words.some((word) => word.startsWith(typed)),
  );
  return [...whole, ...part].slice(0, MOST);
}
