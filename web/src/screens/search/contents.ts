import type { MessageContent } from '@atrium/sdk';

const WORDS: Record<MessageContent, string> = {
  link: 'Link',
  code: 'Code',
  reaction: 'Reaction',
  reply: 'Reply',
  file: 'File',
};

export const CONTENTS = Object.keys(WORDS) as MessageContent[];

export function isContent(text: string | undefined): text is MessageContent {
  return text !== undefined && Object.hasOwn(WORDS, text);
}

export function contentInWords(content: MessageContent): string {
  return WORDS[content];
}
