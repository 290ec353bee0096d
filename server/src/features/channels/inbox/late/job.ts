import { z } from 'zod';
import type { Context } from '../../../../core/context.ts';
import { bringLateFile, giveUpLateFile } from './service.ts';

export { LATE_FILE } from './job-kind.ts';

const Payload = z.object({ orgId: z.string(), messageId: z.string(), position: z.number() });
type ContextOf = (orgId: string) => Context;

export function runLateFile(
  contextOf: ContextOf,
  payload: unknown,
  signal: AbortSignal,
): Promise<void> {
  const { orgId, ...place } = Payload.parse(payload);
  return bringLateFile(contextOf(orgId), place, signal);
}

/** After the last attempt. */
export function buryLateFile(
  contextOf: ContextOf,
  payload: unknown,
  error: unknown,
): Promise<void> {
  const { orgId, ...place } = Payload.parse(payload);
  return giveUpLateFile(contextOf(orgId), place, error);
}
