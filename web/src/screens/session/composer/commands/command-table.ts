import { scoreMatch } from '../../../../ui/text/fuzzy-match.ts';
import type { Suggested } from '../suggestion-list.tsx';
import type { Command } from './command.ts';
import { openDirect } from './dm.ts';
import { invite } from './invite.ts';
import { mute } from './mute.ts';
import { remember } from './remember.ts';
import { remind } from './remind.ts';
import { setStatus } from './status.ts';
import { createTask } from './task.ts';

/** Every command, in the order in which they are offered. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'remind',
    args: '[what] [when]',
    about: 'Reminds you in your inbox, such as “in 20 minutes” or “tomorrow at 9”',
    run: remind,
  },
  {
    name: 'task',
    args: '[title] [@assignee]',
    about: 'Creates a task in this project',
    runsAlone: true,
    run: createTask,
  },
  {
    name: 'remember',
    args: 'what',
    about: 'Saves it to the memory that agents answer from',
    run: remember,
  },
  {
    name: 'invite',
    args: '@person or email',
    about: 'Adds people to this session, or to the organisation',
    run: invite,
  },
  {
    name: 'dm',
    args: '@person [message]',
    about: 'Opens a direct conversation',
    run: openDirect,
  },
  {
    name: 'status',
    args: '[emoji] [text] [until when]',
    about: 'Shows others what you are doing; “clear” removes it',
    runsAlone: true,
    run: setStatus,
  },
  {
    name: 'mute',
    args: '[mentions or off]',
    about: 'Stops notifications from this session, all or those that don’t mention you',
    runsAlone: true,
    run: mute,
  },
];

export type CommandSuggestion = Suggested & Pick<Command, 'name' | 'runsAlone'>;

export function suggestCommands(query: string): CommandSuggestion[] {
  return COMMANDS.filter(({ name }) => name.startsWith(query)).map(
    ({ name, args, about, runsAlone = false }) => ({
      id: name,
      kind: 'command',
      title: `/${name}`,
      args,
      detail: about,
      name,
      runsAlone,
    }),
  );
}

export function findCommand(name: string): Command | undefined {
  return COMMANDS.find((command) => command.name === name);
}

/** For a name that is none: those it may have been meant to be. */
export function findSimilar(name: string): string[] {
  return COMMANDS.filter((command) => scoreMatch(name, command.name) > 0).map(
    (command) => command.name,
  );
}
