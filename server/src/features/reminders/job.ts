import { z } from 'zod';
import type { Context } from '../../core/context.ts';
import { remind } from './service.ts';

export { REMIND } from './service.ts';

const Payload = z.object({ orgId: z.string(), id: z.string(), at: z.coerce.date() });

export function remindPerson(
  contextOf: (orgId: string) => Context,
  payload: unknown,
): Promise<void> {
  const { orgId, ...due } = Payload.parse(payload);
  return remind(contextOf(orgId), due);
}
