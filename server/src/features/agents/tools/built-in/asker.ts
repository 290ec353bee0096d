import type { UserContext } from '../../../../core/context.ts';
import { findAsker } from '../../store.ts';
import type { ToolPlace } from './tool.ts';

/** As the person who asked, with the rights that they have now. Undefined if they are not a member, or no longer. */
export async function asAsker({ ctx, question }: ToolPlace): Promise<UserContext | undefined> {
  const { askerUserId: userId } = question;
  if (userId === null) return undefined;
  const asker = await findAsker(ctx, userId);
  if (!asker) return undefined;
  const credentials = { keyId: null, webSessionId: null, scopes: new Set<string>() };
  return { ...ctx, actor: { kind: 'user', userId, ...asker, ...credentials } };
}
