import { markMention, withoutMarks } from '../provider.ts';
import { signedName } from '../signed-name.ts';

/** A mention as Mattermost finds one: a name after an @ that is not inside a word. */
const MENTION = /(?<![\w@])@([a-z0-9][a-z0-9._-]*)/gi;

/** Both sides write Markdown. Only the bot's own name is marked: other names stay as they are written. */
export function fromMattermost(text: string, bot: { id: string; username: string }): string {
  return outsideCode(withoutMarks(text), (prose) =>
    prose.replaceAll(MENTION, (all, name: string) => {
      const bare = name.replace(/[._-]+$/, '');
      if (bare.toLowerCase() !== bot.username.toLowerCase()) return all;
      return markMention(bot.id) + name.slice(bare.length);
    }),
  );
}

/** `usernames`: by handle. Any other name after an @, `@channel` and `@all` too, is kept from notifying. */
export function toMattermost(text: string, usernames: ReadonlyMap<string, string>): string {
  return outsideCode(text, (prose) =>
    prose.replaceAll(MENTION, (_all, name: string) => {
      const bare = name.replace(/[.:]+$/, '');
      const username = usernames.get(bare.toLowerCase());
      return username === undefined ? `@\u200B${name}` : `@${username}${name.slice(bare.length)}`;
    }),
  );
}

/** In bold, on a line of its own: a text may begin with a list or a code block. */
export function withAuthor(authorName: string, text: string): string {
  return `**${signedName(authorName)}**\n${text}`;
}

function outsideCode(text: string, change: (prose: string) => string): string {
  return text
    .split(/(^ {0,3}```[^]*?^ {0,3}```|`[^`\n]+`)/m)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('');
}
