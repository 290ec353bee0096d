import { z } from 'zod';
import type { Context } from '../../../core/context.ts';
import { previewLinks } from './service.ts';

export { PREVIEW_LINKS } from './service.ts';
export { purgePreviews } from './store.ts';

const Payload = z.object({ orgId: z.string(), messageId: z.string() });

export function previewMessageLinks(
  contextOf: (orgId: string) => Context,
  payload: unknown,
  signal: AbortSignal,
): Promise<void> {
  const { orgId, messageId } = Payload.parse(payload);
  return previewLinks(contextOf(orgId), messageId, signal);
}
