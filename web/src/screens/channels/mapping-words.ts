import type { ChannelMapping } from '@atrium/sdk';
import { toSentence } from '../../ui/text/sentence.ts';

export const DIRECTIONS: Record<ChannelMapping['direction'], string> = {
  BOTH: 'Both ways',
  IN: 'From the channel only',
  OUT: 'To the channel only',
};

export const ANSWERS: Record<ChannelMapping['answers'], string> = {
  MEMBERS: 'Members of this organisation',
  EVERYONE: 'Everyone in the channel',
  NONE: 'Nobody',
};

export const STATUSES: Record<
  ChannelMapping['status'],
  { name: string; tone: 'good' | 'warn' | 'danger' }
> = {
  ACTIVE: { name: 'Active', tone: 'good' },
  PAUSED: { name: 'Paused', tone: 'warn' },
  BROKEN: { name: 'Not working', tone: 'danger' },
};

/** What the mapping means for people in the session, one sentence each. */
export function explainMapping(mapping: ChannelMapping): string[] {
  const sentences = [
    SEEN[mapping.direction],
    ANSWERED[mapping.answers],
    mapping.sharesOrgMemory
      ? 'Agents may use the organisation’s memory in their answers here.'
      : 'Agents here use this session and this project’s memory, but not the organisation’s.',
  ];
  if (mapping.status === 'PAUSED') {
    sentences.unshift(
      'The channel is paused. Until someone resumes it, messages stay where they were written.',
    );
  }
  if (mapping.status === 'BROKEN') {
    const why = toSentence(mapping.lastError ?? 'the chat system can’t be reached');
    sentences.unshift(`The channel doesn’t work at the moment. ${why}`);
  }
  return sentences;
}

const SEEN: Record<ChannelMapping['direction'], string> = {
  BOTH: 'Everyone in the channel reads what is written here, including people who aren’t members of this organisation. What they write appears here.',
  IN: 'What is written in the channel appears here. What is written here stays here.',
  OUT: 'Everyone in the channel reads what is written here, including people who aren’t members of this organisation. What they write doesn’t appear here.',
};

const ANSWERED: Record<ChannelMapping['answers'], string> = {
  MEMBERS: 'Agents answer mentions in the channel if a member of this organisation wrote them.',
  EVERYONE: 'Agents answer mentions in the channel, whoever wrote them.',
  NONE: 'Agents don’t answer mentions in the channel.',
};
