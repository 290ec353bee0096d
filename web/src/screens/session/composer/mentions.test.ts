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
  isDefault,
  lastResult: null,
});
const member = (name: string, email = 'x@y.z'): Member => ({
  userId: name,
  name,
  email,
  role: 'MEMBER',
  joinedAt: '',
});
const server = (mentionSlug: string, projectIds: string[] = []) =>
  ({ mentionSlug, displayName: `The ${mentionSlug} desk`, projectIds }) as McpServer;

const agent = (slug: string, name: string, description: string | null = null) =>
  ({ slug, name, description }) as Agent;

const all = listSuggestions({
  models: [model('recall', true), model('gpt-4.1')],
  agents: [agent('support', 'Support answers', 'Cites its sources'), agent('zoe-bot', 'Zoë')],
  servers: [server('tickets'), server('elsewhere', ['other']), server('here', ['p1'])],
  members: [member('Zoë Gray'), member('Model Smith'), member('', 'ann@y.z')],
  projectId: 'p1',
  sessionModel: null,
});
const found = (query: string) => matchSuggestions(all, query).map(({ text }) => text);

describe('what can be mentioned', () => {
  it('includes agents, integrations of the project, and people', () => {
    expect(found('')).toEqual([
      '@model',
      '@support',
      '@zoe-bot',
      '@recall',
      '@gpt-4.1',
      '@tickets',
      '@here',
      '@Zoë',
      'Model Smith',
      '@ann',
    ]);
    expect(all[0]?.detail).toContain('recall');
    expect(all[1]?.detail).toBe('Support answers · Cites its sources');
  });

  it('matches by the beginning, then by any word, ignoring accents and case', () => {
    expect(found('GP')).toEqual(['@gpt-4.1']);
    expect(found('zoe')).toEqual(['@zoe-bot', '@Zoë']);
    expect(found('answers')).toEqual(['@support']);
    expect(found('gray')).toEqual(['@Zoë']);
    expect(found('desk')).toEqual(['@tickets', '@here']);
    expect(found('mo')).toEqual(['@model', 'Model Smith']);
    expect(found('nobody')).toEqual([]);
  });
});
