import type { UserContext } from '../../core/context.ts';
import { isoTime } from '../../db/utc-time.ts';
import type { MessagePath } from './schema.ts';
import { getMessage } from './service.ts';

/**
 * Whether a message that a response shows is still there as its author left it, for routes that return a
 * message of somebody else. A retry that gave an agent's reply a new result is no edit.
 */
export async function isStillThere(
  ctx: UserContext,
  path: MessagePath,
  shown: { id: string; editedAt: string | null } | undefined,
): Promise<boolean> {
  // A question that was asked again is a new message.
  const { message } = await getMessage(ctx, { ...path, messageId: shown?.id ?? path.messageId });
  const { deletedAt, editedAt } = message;
  return !shown || (deletedAt === null && (editedAt && isoTime(editedAt)) === shown.editedAt);
}
