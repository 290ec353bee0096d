import type { MessageContent } from '../schema.ts';
import type { MessageRow } from '../store.ts';

type Read = Pick<MessageRow, 'body' | 'reactions' | 'replyCount' | 'attachments'>;

const HAS: Record<MessageContent, (message: Read) => boolean> = {
  link: ({ body }) => /https?:\/\/[^\s/]/i.test(body),
  code: ({ body }) => /`[^`]+`/.test(body),
  reaction: ({ reactions }) => reactions.length > 0,
  reply: ({ replyCount }) => replyCount > 0,
  file: ({ attachments }) => attachments.length > 0,
};

export function hasAll(message: Read, contents: readonly MessageContent[]): boolean {
  return contents.every((content) => HAS[content](message));
}
