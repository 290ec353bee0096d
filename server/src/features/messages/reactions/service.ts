import { withTransaction, type UserContext } from '../../../core/context.ts';
import { invalidValue, notFound } from '../../../core/errors.ts';
import { emit } from '../../../events/emit.ts';
import { normalizeEmoji } from '../../../text/emoji/emoji.ts';
import { requireWritable } from '../policy.ts';
import type { CreateReaction, MessagePath, ReactionPath } from '../schema.ts';
import { changed, getMessage } from '../service.ts';
import { deleteReaction, upsertReaction, type ReactionRow } from './store.ts';

export async function react(
  ctx: UserContext,
  path: MessagePath,
  input: CreateReaction,
): Promise<ReactionRow> {
  const emoji = normalizeEmoji(input.emoji);
  if (emoji === undefined) {
    const message = 'must be one emoji that Unicode 16.0 recommends, such as 🎉 or 👍🏽';
    throw invalidValue('body.emoji', message);
  }
  return withTransaction(ctx, async (inner) => {
    const { access, message } = await getMessage(inner, path);
    requireWritable(access, message);
    const reaction = await upsertReaction(inner, message, emoji);
    emit(inner, { type: 'message.reacted', ...changed(access, message) });
    return reaction;
  });
}

export async function unreact(ctx: UserContext, path: ReactionPath): Promise<void> {
  const emoji = normalizeEmoji(path.emoji);
  if (emoji === undefined) throw notFound('This reaction');
  await withTransaction(ctx, async (inner) => {
    const { access, message } = await getMessage(inner, path);
    requireWritable(access, message);
    deleteReaction(inner, message, emoji);
    emit(inner, { type: 'message.reacted', ...changed(access, message) });
  });
}
