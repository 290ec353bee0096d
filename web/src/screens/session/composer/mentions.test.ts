import type { Agent, McpServer, Member, Model } from '@atrium/sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findMentionQuery, listSuggestions, matchSuggestions } from './mentions.ts';

const at = (marked: string) => findMentionQuery(marked.replace('|', ''), marked.indexOf('|'));

describe('typing a mention', () => {
  it.each<[string, number, string]>([
    ['@|', 0, ''],
    ['hi @mo|', 3, 'mo'],
    ['hi @mo|del', 3, 'mo'],
    ['(@gpt-4.1|', 1, 'gpt-4.1'],
    ['@Zoë|', 0, 'Zoë'],
    ['a\n@b|', 2, 'b'],
    ['`x` @b|', 4, 'b'],
    ['```\ncode\n```\n@b|', 13, 'b'],
  ])('%j', (marked, from, query) => expect(at(marked)).toEqual({ from, query }));

  it.each(['|@a', '@a |', 'me@example|', 'é@a|', '`@a|', '```\n@a|', '~~~\nx\n@a|', '@a b|', 'a|'])(
    '%j is not a mention',
    (marked) => expect(at(marked)).toBeUndefined(),
  );

  it('is found before the caret, wherever the caret is', () => {
    fc.assert(
      fc.property(
        fc
          .array(fc.constantFrom('@', 'a', 'é', '\n', '`', ' ', '.', '👍', '\u0301'))
          .map((parts) => parts.join('')),
        fc.nat(60),
        (text, caret) => {
          const found = findMentionQuery(text, Math.min(caret, text.length));
          if (found) expect(text.startsWith(`@${found.query}`, found.from)).toBe(true);
        },
      ),
    );
  });
});

const model = (slug: string, isDefault = false): Model => ({
  slug,
  provider: 'openai',
  model: slug,
  creditsPer1kTokens: 1,
  creditsPerMillionTokens: { input: 1000, output: 1000 },
  origin: 'server',
  isDefault,
  lastResult: null,
});
const member = (name: string, handle: string | null, userId = name): Member => ({
  userId,
  name,
  email: 'x@y.z',
  role: 'MEMBER',
  handle,
  joinedAt: '',
  title: null,
  photo: null,
  status: null,
  timeZone: null,
  presence: 'OFFLINE',
});
const server = (mentionSlug: string, projectIds: string[] = []) =>
  ({ mentionSlug, displayName: `The ${mentionSlug} desk`, projectIds }) as McpServer;

const agent = (slug: string, name: string, description: string | null = null) =>
  ({ slug, name, description }) as Agent;

const known = {
  models: [model('recall', true), model('gpt-4.1')],
  agents: [agent('support', 'Support answers', 'Cites its sources'), agent('zoe-bot', 'Zoë')],
  servers: [server('tickets'), server('elsewhere', ['other']), server('here', ['p1'])],
  people: [
    member('Zoë Gray', 'zg'),
    member('Recallia Smith', 'rs'),
    member('Anna Out', 'annaout'),
    member('Nora New', null),
  ],
  refusalOf: (userId: string) => (userId === 'Anna Out' ? 'is outside' : undefined),
  projectId: 'p1',
  sessionModel: null,
  groups: {
    refusal: undefined as string | undefined,
    // The integration had it first.
    isTaken: (word: string) => word === 'here',
    counts: { here: 3, everyone: 34 },
  },
};
const all = listSuggestions(known);
const found = (query: string, among = all) => matchSuggestions(among, query).map(({ id }) => id);

describe('what can be mentioned', () => {
  it('is the people of the project first, then who answers, and at last who cannot be', () => {
    expect(found('')).toEqual([
      'person-Zoë Gray',
      'person-Recallia Smith',
      'group-everyone',
      'agent-model',
      'agent-support',
      'agent-zoe-bot',
      'agent-recall',
      'agent-gpt-4.1',
      'integration-tickets',
      'integration-here',
      'person-Anna Out',
      'person-Nora New',
    ]);
    expect(all.find(({ id }) => id === 'agent-model')?.detail).toContain('recall');
    expect(all.find(({ id }) => id === 'agent-support')?.detail).toBe(
      'Support answers · Cites its sources',
    );
    expect(all.map(({ text }) => text)).toContain('@zg');
  });

  it('says why somebody cannot be', () => {
    expect(all.flatMap(({ title, refusal }) => (refusal ? [[title, refusal]] : []))).toEqual([
      ['Anna Out', 'is outside'],
      ['Nora New', 'has no handle yet'],
    ]);
  });

  it('is everybody at once, unless the project does not allow it', () => {
    const groups = { ...known.groups, isTaken: () => false };
    const offered = (refusal?: string) =>
      matchSuggestions(listSuggestions({ ...known, groups: { ...groups, refusal } }), '');
    const ofGroups = (refusal?: string) =>
      offered(refusal).flatMap(({ kind, title, detail, refusal: why }) =>
        kind === 'group' ? [[title, why ?? detail]] : [],
      );
    expect(ofGroups()).toEqual([
      ['@here', 'followers who are here now · 3 people'],
      ['@everyone', 'everybody who follows this session · 34 people'],
    ]);
    expect(ofGroups('is not allowed')).toEqual([['@here', 'is not allowed']]);
  });

  it('matches by the beginning, then by any word, ignoring accents and case', () => {
    expect(found('GP')).toEqual(['agent-gpt-4.1']);
    expect(found('zoe')).toEqual(['person-Zoë Gray', 'agent-zoe-bot']);
    expect(found('answers')).toEqual(['agent-support']);
    expect(found('gray')).toEqual(['person-Zoë Gray']);
    expect(found('zg')).toEqual(['person-Zoë Gray']);
    expect(found('desk')).toEqual(['integration-tickets', 'integration-here']);
    expect(found('anna')).toEqual(['person-Anna Out']);
    expect(found('nobody')).toEqual([]);
  });

  it('has a name that was typed in full at the top', () => {
    expect(found('recal')).toEqual(['person-Recallia Smith', 'agent-recall']);
    expect(found('recall')).toEqual(['agent-recall', 'person-Recallia Smith']);
  });

  it('is never all people: agents are still there in a large team', () => {
    const people = Array.from({ length: 40 }, (_, at) => member(`P ${at}`, `p${at}`));
    const refusalOf = (userId: string) => (userId === 'P 1' ? undefined : 'is outside');
    const large = listSuggestions({ ...known, people, refusalOf });
    const everybody = listSuggestions({ ...known, people, refusalOf: () => undefined });
    expect(found('', large)).toContain('agent-recall');
    expect(found('', everybody)).toContain('agent-recall');
    expect(found('', everybody)).toHaveLength(8 + 8);
    expect(found('', large)).toHaveLength(1 + 8 + 3);
  });
});
