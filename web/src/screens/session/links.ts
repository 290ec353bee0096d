import type { Message } from '@atrium/sdk';

/** A link that works for everyone with access, whichever org they used last. */
export function linkToSession(orgId: string, slug: string, sessionId: string): string {
  const path = `/p/${encodeURIComponent(slug)}/s/${encodeURIComponent(sessionId)}`;
  return `${location.origin}${path}?org=${encodeURIComponent(orgId)}`;
}

export function linkToMessage(orgId: string, slug: string, message: Message): string {
  const link = new URL(linkToSession(orgId, slug, message.sessionId));
  link.searchParams.set('m', message.id);
  if (message.parentMessageId) link.searchParams.set('thread', message.parentMessageId);
  return link.href;
}
