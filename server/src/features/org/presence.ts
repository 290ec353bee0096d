import { findSharers } from '../../access/sharing.ts';
import type { UserContext } from '../../core/context.ts';
import type { Presence } from '../../core/presence.ts';
import { requireFound } from '../../core/errors.ts';
import { findMember, listMembers, type MemberRow } from './store.ts';

export type SeenMember = MemberRow & { presence: Presence };

export function listSeenMembers(ctx: UserContext): Promise<SeenMember[]> {
  return seeMembers(ctx, ctx.presence.list(ctx.orgId), () => listMembers(ctx));
}

export function getMember(ctx: UserContext, userId: string): Promise<SeenMember> {
  return seeMember(ctx, userId, async () =>
    requireFound(await findMember(ctx, userId), 'This member'),
  );
}

export async function seeMember(
  ctx: UserContext,
  userId: string,
  find: () => Promise<MemberRow>,
): Promise<SeenMember> {
  const [member] = await seeMembers(ctx, [userId], async () => [await find()]);
  return member as SeenMember;
}

/** Whether members are there. Of people whom the caller shares no Project with, nobody says so. */
async function seeMembers(
  ctx: UserContext,
  userIds: readonly string[],
  list: () => Promise<MemberRow[]>,
): Promise<SeenMember[]> {
  const { userId: self } = ctx.actor;
  const isPresent = (id: string) => ctx.presence.of(ctx.orgId, id) !== 'OFFLINE';
  const present = userIds.filter((id) => id !== self && isPresent(id));
  // Together, so that the list takes no longer than it would by itself.
  const [members, sharers] = await Promise.all([
    list(),
    findSharers(ctx.db, ctx.orgId, [self], present),
  ]);
  const seen = new Set(sharers.get(self)).add(self);
  return members.map((member) => ({
    ...member,
    presence: seen.has(member.userId) ? ctx.presence.of(ctx.orgId, member.userId) : 'OFFLINE',
  }));
}
