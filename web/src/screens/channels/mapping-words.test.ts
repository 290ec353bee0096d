import type { ChannelMapping } from '@atrium/sdk';
import { describe, expect, it } from 'vitest';
import { nameReaders } from '../../shared/channel-names.ts';
import { explainMapping } from './mapping-words.ts';

const mapping = (fields: Partial<ChannelMapping> = {}) =>
  ({
    channelName: 'general',
    provider: 'MATTERMOST',
    direction: 'BOTH',
    answers: 'MEMBERS',
    sharesOrgMemory: false,
    status: 'ACTIVE',
    lastError: null,
    ...fields,
  }) as ChannelMapping;

describe('a mapped session', () => {
  it('says who reads along, unless nothing leaves it', () => {
    const reads = 'Everyone in #general on Mattermost reads this session';
    expect(nameReaders(mapping())).toBe(reads);
    expect(nameReaders(mapping({ direction: 'OUT' }))).toBe(reads);
    expect(nameReaders(mapping({ direction: 'IN' }))).toBe(
      'Messages from #general on Mattermost appear here',
    );
    expect(nameReaders(mapping({ status: 'PAUSED' }))).toBe('#general on Mattermost is paused');
    expect(nameReaders(mapping({ status: 'BROKEN' }))).toMatch(/isn’t working$/);
  });

  it('explains itself, beginning with what is wrong', () => {
    expect(explainMapping(mapping())).toHaveLength(3);
    const [broken] = explainMapping(
      mapping({ status: 'BROKEN', lastError: 'the bot is not in this channel' }),
    );
    expect(broken).toBe('The channel doesn’t work at the moment. The bot is not in this channel.');
    expect(explainMapping(mapping({ status: 'PAUSED' }))[0]).toMatch(/^The channel is paused\./);
    expect(explainMapping(mapping({ sharesOrgMemory: true })).at(-1)).toMatch(/may use/);
  });
});
