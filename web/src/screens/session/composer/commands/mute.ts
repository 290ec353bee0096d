import type { Session } from '@atrium/sdk';
import { rememberSession } from '../../../../data/following.ts';
import type { CommandContext, Outcome } from './command.ts';

type Level = Session['level'];

const LEVELS: Record<string, Level> = { '': 'NONE', mentions: 'MENTIONS', off: 'ALL', all: 'ALL' };

const SAID: Record<Level, string> = {
  ALL: 'Notifications are on for this session',
  MENTIONS: 'Only mentions and replies to you will notify you',
  NONE: 'Muted. Mentions wait in your inbox.',
};

/** What this session tells the person about. */
export async function mute(ctx: CommandContext, args: string): Promise<Outcome> {
  const level = LEVELS[args.toLowerCase()];
  if (level === undefined) {
    return { problem: 'Write /mute, /mute mentions or /mute off.' };
  }
  const { level: before } = ctx.session;
  await setLevel(ctx, level);
  return {
    said: SAID[level],
    ...(before !== level && { undo: () => setLevel(ctx, before) }),
  };
}

/** Muting neither follows nor leaves. Mentions only is for those who follow. */
async function setLevel({ workspace, queryClient, slug, session }: CommandContext, level: Level) {
  const { client, org } = workspace;
  const saved =
    level === 'MENTIONS'
      ? await client.sessions.follow(slug, session.id, { level })
      : await client.sessions.mute(slug, session.id, { muted: level === 'NONE' });
  rememberSession(queryClient, org.id, slug, saved);
}
