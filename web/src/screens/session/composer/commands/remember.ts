import { keys } from '../../../../data/query-keys.ts';
import type { CommandContext, Outcome } from './command.ts';

/** What is said in a private session stays with the person who remembers it. */
export async function remember(ctx: CommandContext, content: string): Promise<Outcome> {
  if (content === '') return { problem: 'Write after /remember what to remember.' };
  const { client, org } = ctx.workspace;
  const { projectId, access } = ctx.session;
  const isShared = access === 'PROJECT';
  const scope = isShared
    ? ({ visibility: 'PROJECT', projectId } as const)
    : ({ visibility: 'PRIVATE' } as const);
  const { id } = await client.memory.create({ content, ...scope });
  const refetch = () => ctx.queryClient.invalidateQueries({ queryKey: keys.memory(org.id) });
  void refetch();
  return {
    said: isShared ? 'Remembered for this project' : 'Remembered, for you only',
    open: {
      label: 'Show',
      go: () => void ctx.navigate({ to: '/memory', search: { id } }),
    },
    async undo() {
      await client.memory.delete(id);
      await refetch();
    },
  };
}
