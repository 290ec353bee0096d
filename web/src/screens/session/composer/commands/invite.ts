import { isDirect } from '../../../../data/direct.ts';
import { keys } from '../../../../data/query-keys.ts';
import { rememberSession } from '../../../../data/following.ts';
import type { CommandContext, Outcome } from './command.ts';
import { findMentioned } from './mentioned.ts';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** People of the organisation join the session. An address is invited to the organisation. */
export async function invite(ctx: CommandContext, args: string): Promise<Outcome> {
  if (EMAIL.test(args)) return inviteToOrg(ctx, args);
  const { people, unknown, rest } = findMentioned(args, ctx.members);
  if (unknown.length > 0) return { problem: `Nobody has the handle ${unknown[0]}.` };
  if (people.length === 0 || rest !== '') {
    return { problem: 'Write @ and a person after /invite, or an email address.' };
  }
  const { client, org, profile } = ctx.workspace;
  const { id, projectId, participantUserIds: before } = ctx.session;
  if (isDirect(ctx.session)) {
    // Its people never change. With one more, it is another conversation.
    const others = [...before, ...people.map(({ userId }) => userId)];
    ctx.shell.openNewDirect([...new Set(others)].filter((userId) => userId !== profile.userId));
    return { isOpened: true };
  }
  const { items } = await client.projects.listMembers(projectId);
  const outsider = people.find((one) => !items.some(({ userId }) => userId === one.userId));
  if (outsider) {
    return { problem: `${outsider.name} has no access to this project. Add them to it first.` };
  }
  const added = people.filter(({ userId }) => !before.includes(userId));
  if (added.length === 0) {
    return {
      said: people.length === 1 ? 'They take part already' : 'All of them take part already',
    };
  }
  const save = async (participantUserIds: string[]) => {
    const saved = await client.sessions.update(ctx.slug, id, { participantUserIds });
    rememberSession(ctx.queryClient, org.id, ctx.slug, saved);
  };
  await save([...before, ...added.map(({ userId }) => userId)]);
  return {
    said: `Added ${added.map(({ name }) => name).join(', ')} to this session`,
    undo: () => save(before),
  };
}

async function inviteToOrg(ctx: CommandContext, email: string): Promise<Outcome> {
  const { client, org, isAdmin } = ctx.workspace;
  if (!isAdmin) {
    return { problem: `Only owners and admins can invite people to ${org.name}.` };
  }
  const { id } = await client.org.invite(org.id, { email, role: 'MEMBER' });
  const refetch = () => ctx.queryClient.invalidateQueries({ queryKey: keys.invitations(org.id) });
  void refetch();
  return {
    said: `Invited ${email} to ${org.name} as a member`,
    async undo() {
      await client.org.revokeInvitation(org.id, id);
      await refetch();
    },
  };
}
