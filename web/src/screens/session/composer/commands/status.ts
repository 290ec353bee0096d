import type { UpdateMe } from '@atrium/sdk';
import { refetchMember } from '../../../../data/people.ts';
import { keys } from '../../../../data/query-keys.ts';
import { inWords } from '../../../../shared/time-choices.ts';
import { countCharacters } from '../../../../ui/text/count-characters.ts';
import type { CommandContext, Outcome } from './command.ts';
import { readTime } from './read-time.ts';

const USUAL_EMOJI = '💬';
const LONGEST_TEXT = 100;

/** `🌴 On leave until friday`, or `clear`. Without anything, the dialog asks. */
export async function setStatus(ctx: CommandContext, args: string): Promise<Outcome> {
  if (args === '') {
    ctx.shell.openStatus();
    return { isOpened: true };
  }
  const { profile } = ctx.workspace;
  const before = ctx.members.find(({ userId }) => userId === profile.userId)?.status ?? null;
  const undo = () => save(ctx, before);
  if (/^(?:clear|off|none)$/i.test(args)) {
    await save(ctx, null);
    return { said: 'Status cleared', ...(before && { undo }) };
  }
  const { words, until } = readEnd(args, ctx.now);
  const { emoji, text } = await readEmoji(words);
  if (text === '') return { problem: 'Say in a few words what you are doing.' };
  if (countCharacters(text) > LONGEST_TEXT) {
    return { problem: `A status has at most ${LONGEST_TEXT} characters.` };
  }
  if (until && until <= ctx.now) return { problem: 'That time has passed. Write a later end.' };
  await save(ctx, { emoji, text, until: until?.toISOString() ?? null });
  const end = until ? ` until ${inWords(until)}` : '';
  return { said: `Status set: ${emoji} ${text}${end}`, undo };
}

async function save(ctx: CommandContext, status: UpdateMe['status']): Promise<void> {
  const { workspace, queryClient } = ctx;
  const me = await workspace.client.identity.update({ status: status ?? null });
  queryClient.setQueryData(keys.me(workspace.org.id), me);
  await refetchMember(queryClient, workspace, workspace.profile.userId);
}

/** Ends in `until 17:00` or `for 2 hours`. What is not a time belongs to the text. */
export function readEnd(args: string, now: Date): { words: string; until: Date | undefined } {
  const [, words = '', how = '', when = ''] = /^(.*)\s(until|till|for)\s+(.+)$/is.exec(args) ?? [];
  const readings = how.toLowerCase() === 'for' ? [`in ${when}`] : [when, `at ${when}`];
  for (const reading of readings) {
    const time = when === '' ? undefined : readTime(reading, now);
    if (time?.rest === '') return { words, until: time.at };
  }
  return { words: args, until: undefined };
}

async function readEmoji(words: string): Promise<{ emoji: string; text: string }> {
  const { nameEmoji } = await import('../../../../shared/emoji/suggest-emoji.ts');
  const [first] = new Intl.Segmenter().segment(words);
  const emoji = first?.segment ?? '';
  return nameEmoji(emoji) === undefined
    ? { emoji: USUAL_EMOJI, text: words.trim() }
    : { emoji, text: words.slice(emoji.length).trim() };
}
