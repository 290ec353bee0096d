import { isDirect } from '../../../../data/direct.ts';
import { refetchTasks } from '../../../../data/refetch-tasks.ts';
import { LONGEST_TITLE } from '../../../../data/task-title.ts';
import { countCharacters } from '../../../../ui/text/count-characters.ts';
import type { CommandContext, Outcome } from './command.ts';
import { findMentioned } from './mentioned.ts';

/** `Fix the login @bea` is assigned to Bea. Without a title or a project, the dialog asks for the rest. */
export async function createTask(ctx: CommandContext, args: string): Promise<Outcome> {
  const { slug, session, queryClient } = ctx;
  if (isDirect(session)) {
    // It is in no project, so the person chooses one.
    ctx.shell.openNewTask({ title: args });
    return { isOpened: true };
  }
  if (args === '') {
    ctx.shell.openNewTask({ slug });
    return { isOpened: true };
  }
  const { people, unknown, rest } = findMentioned(args, ctx.members);
  const [assignee, other] = people;
  if (unknown.length > 0) return { problem: `Nobody has the handle ${unknown[0]}.` };
  if (other) return { problem: 'A task has one assignee. Mention one person.' };
  const title = rest.replaceAll(/\s+/g, ' ');
  if (title === '') return { problem: 'Write a title after /task.' };
  if (countCharacters(title) > LONGEST_TITLE) {
    return { problem: `A title has at most ${LONGEST_TITLE} characters.` };
  }
  const { client, org } = ctx.workspace;
  const { projectId } = session;
  const { id, number } = await client.tasks.create(projectId, {
    title,
    ...(assignee && { assigneeUserId: assignee.userId }),
  });
  const refetch = () => refetchTasks(queryClient, org.id, projectId);
  void refetch();
  const params = { slug, number: String(number) };
  return {
    said: assignee
      ? `Created task #${number} for ${assignee.name}`
      : `Created task #${number}: ${title}`,
    open: {
      label: 'Open',
      go: () => void ctx.navigate({ to: '/p/$slug/t/$number', params }),
    },
    async undo() {
      await client.tasks.archive(projectId, id);
      await refetch();
    },
  };
}
