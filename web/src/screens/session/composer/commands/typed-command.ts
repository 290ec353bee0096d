/** A command that a draft begins with, such as `/remind me tomorrow`. A path such as `/etc/hosts` is none. */
export interface TypedCommand {
  name: string;
  args: string;
}

const COMMAND = /^\/([a-z]+)(?:\s+([^]*))?$/i;

export function readCommand(body: string): TypedCommand | undefined {
  const [, name, args = ''] = COMMAND.exec(body) ?? [];
  return name === undefined ? undefined : { name: name.toLowerCase(), args: args.trim() };
}

/** The name of a command that is being typed, at the beginning of the text and up to the caret. */
export function findCommandQuery(text: string, caret: number): string | undefined {
  const [, query] = /^\/([a-z]*)$/i.exec(text.slice(0, caret)) ?? [];
  return query?.toLowerCase();
}

const TO_GROUP = /@(?:here|everyone)(?![\p{L}\p{N}_])/iu;

/** Whether something has to be looked at before a draft is posted: a command, or a word for many people. */
export function needsLook(body: string): boolean {
  return COMMAND.test(body) || TO_GROUP.test(body);
}
