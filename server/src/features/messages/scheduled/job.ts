import { z } from 'zod';
import type { Context } from '../../../core/context.ts';
import { failScheduled, sendScheduled } from './service.ts';

export { SEND_SCHEDULED } from './service.ts';

const Payload = z.object({ orgId: z.string(), id: z.string(), at: z.coerce.date() });
type ContextOf = (orgId: string) => Context;

export function sendScheduledMessage(contextOf: ContextOf, payload: unknown): Promise<void> {
  const { orgId, ...due } = Payload.parse(payload);
  return sendScheduled(contextOf(orgId), due);
}

/** After the last attempt. */
export function giveUpScheduled(contextOf: ContextOf, payload: unknown): Promise<void> {
  const { orgId, ...due } = Payload.parse(payload);
  return failScheduled(contextOf(orgId), due, 'The server could not post it.');
}
