import type { UserContext } from '../../core/context.ts';
import { isoTime } from '../../db/utc-time.ts';
import { mayShow } from '../files/attaching/service.ts';
import { getSession } from '../sessions/service.ts';
import type { Message, MessagePath, SessionMessagesPath } from './schema.ts';
import { getMessage } from './service.ts';

/** What the response to a post shows. One that an older version stored has no files. */
type ShownMessage = Pick<Message, 'id' | 'editedAt'> & Partial<Pick<Message, 'attachments'>>;

/** Whether a person may see their own post again: they may read the session, and the files. */
export async function mayShowPost(
  ctx: UserContext,
  { slug, sessionId }: SessionMessagesPath,
  shown: ShownMessage | undefined,
): Promise<boolean> {
  await getSession(ctx, slug, sessionId);
  return mayShow(ctx, { slug }, shown?.attachments ?? []);
}

/**
 * Whether a message that a response shows is still there as its author left it, for routes that return a
 * message of somebody else. A retry that gave an agent's reply a new result is no edit.
 */
export async function isStillThere(
  ctx: UserContext,
  path: MessagePath,
  shown: ShownMessage | undefined,
): Promise<boolean> {
  // A question that was asked again is a new message.
  const { message } = await getMessage(ctx, { ...path, messageId: shown?.id ?? path.messageId });
  if (!shown) return true;
  const { deletedAt, editedAt } = message;
  if (deletedAt !== null || (editedAt && isoTime(editedAt)) !== shown.editedAt) return false;
  const left = new Set(message.attachments.map(({ fileId }) => fileId));
  return (shown.attachments ?? []).every(({ fileId }) => left.has(fileId));
}
