import type { Resource } from '../../mcp-endpoint/resource.ts';
import { presentSession } from '../sessions/present.ts';
import { getSession } from '../sessions/service.ts';
import { withoutPreviews } from './present.ts';
import { listMessages } from './service.ts';

const RECENT_MESSAGES = 50;

export const sessionResource: Resource = {
  name: 'session',
  title: 'Session',
  uriTemplate: 'atrium://projects/{slug}/sessions/{sessionId}',
  description: `A session with its latest ${RECENT_MESSAGES} messages, newest first.`,
  scopes: ['sessions:read', 'messages:read'],
  async read(ctx, slug, sessionId) {
    const session = presentSession(await getSession(ctx, slug, sessionId));
    const path = { slug, sessionId };
    const messages = await listMessages(ctx, path, { limit: RECENT_MESSAGES });
    return { session, messages: { ...messages, items: messages.items.map(withoutPreviews) } };
  },
};
