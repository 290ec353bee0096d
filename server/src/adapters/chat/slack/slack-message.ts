import { emojiOf } from '../emoji.ts';
import { inertName } from '../inert-name.ts';
import { markQuote, withoutMarks, type ChatMessage } from '../provider.ts';
import { fromMrkdwn } from './from-mrkdwn.ts';

/** A message as events and the history give it; only what we read. */
export interface SlackMessage {
  type?: string;
  subtype?: string;
  ts?: string;
  thread_ts?: string;
  user?: string;
  bot_id?: string;
  app_id?: string;
  username?: string;
  bot_profile?: { app_id?: string; name?: string };
  text?: string;
  edited?: { ts?: string };
  files?: SlackFile[];
  attachments?: { title?: string; title_link?: string; text?: string; fallback?: string }[];
  reactions?: { name?: string; users?: string[] }[];
  metadata?: { event_type?: string; event_payload?: { id?: unknown } };
  reply_count?: number;
  latest_reply?: string;
}

export interface SlackFile {
  name?: string;
  title?: string;
  permalink?: string;
  mimetype?: string;
  size?: number;
  /** Where its bytes are. Missing for files elsewhere, and for those that Slack no longer keeps. */
  url_private?: string;
  /** `external` and `tombstone`, among others, have no bytes. */
  mode?: string;
}

/** Who we are there. Slack names a bot in three ways, and which one a message has depends on its kind. */
export interface SlackSelf {
  userIds: readonly string[];
  /** The workspace. */
  teamId?: string;
  botId?: string;
  appId?: string;
}

export const METADATA_TYPE = 'atrium_message';

/** Written by somebody, or by a program. The others say that somebody joined, and the like. */
const WRITTEN = new Set([
  undefined,
  'bot_message',
  'file_share',
  'me_message',
  'thread_broadcast',
  'assistant_app_thread',
]);

/** Undefined if it is not a message that somebody wrote. */
export function readSlackMessage(
  from: SlackMessage,
  channelId: string,
  self: SlackSelf,
): ChatMessage | undefined {
  const { ts, thread_ts: threadTs, user = '', edited } = from;
  if (!ts || !WRITTEN.has(from.subtype)) return undefined;
  const ownId = ownIdOf(from);
  const authorName = inertName(from.username ?? from.bot_profile?.name ?? '');
  return {
    id: ts,
    channelId,
    ...(threadTs && threadTs !== ts && { threadId: threadTs }),
    authorId: user,
    ...(authorName !== '' && { authorName }),
    isBot: from.bot_id !== undefined || from.subtype === 'bot_message' || user === 'USLACKBOT',
    isOwn: isOwn(from, self),
    ...(ownId !== undefined && { ownId }),
    text: textOf(from),
    ...filesOf(from),
    createdAt: timeOf(ts),
    ...(edited?.ts && { editedAt: timeOf(edited.ts) }),
  };
}

export function isOwn(from: SlackMessage, self: SlackSelf): boolean {
  const appId = from.app_id ?? from.bot_profile?.app_id;
  return (
    (from.user !== undefined && self.userIds.includes(from.user)) ||
    (from.bot_id !== undefined && from.bot_id === self.botId) ||
    (appId !== undefined && from.bot_id !== undefined && appId === self.appId)
  );
}

export function ownIdOf({ metadata }: SlackMessage): string | undefined {
  const id = metadata?.event_type === METADATA_TYPE ? metadata.event_payload?.id : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** A message's id is the time at which it was written, in seconds with six decimals. */
export function timeOf(ts: string): Date {
  return new Date(Math.floor(Number(ts) * 1000));
}

export function reactionsOf({ reactions = [] }: SlackMessage): ChatMessage['reactions'] {
  return reactions.flatMap(({ name = '', users = [] }) => {
    const emoji = emojiOf(name);
    return emoji === undefined ? [] : users.map((userId) => ({ emoji, userId }));
  });
}

function textOf(from: SlackMessage): string {
  const written = fromMrkdwn(from.text ?? '');
  const parts = [
    from.subtype === 'me_message' && written !== '' ? `_${written}_` : written,
    ...(from.files ?? []).map(fileOf),
    // Link previews repeat what the text has. A program's attachments may be all there is.
    ...(written === '' ? (from.attachments ?? []).map(attachmentOf) : []),
  ];
  return parts.filter((part) => withoutMarks(part).trim() !== '').join('\n\n');
}

function filesOf({ files = [] }: SlackMessage): Pick<ChatMessage, 'files'> {
  const found = files.flatMap((file) => {
    const { name, title, mimetype = '', size = 0, url_private: source, mode = 'hosted' } = file;
    if (source === undefined || size === 0 || !KEPT_THERE.has(mode)) return [];
    const shown = fileOf(file);
    return [{ name: name ?? title ?? '', mediaType: mimetype, size, source, shown }];
  });
  return found.length === 0 ? {} : { files: found };
}

const KEPT_THERE = new Set(['hosted', 'snippet']);

function fileOf({ name, title, permalink }: { name?: string; title?: string; permalink?: string }) {
  const label = inertName(title || name || '') || 'File';
  return markQuote(permalink === undefined ? `📎 ${label}` : `📎 [${label}](${permalink})`);
}

/** A message of somebody else that was passed on is an attachment too. */
function attachmentOf(from: NonNullable<SlackMessage['attachments']>[number]): string {
  const { title, title_link: link, text, fallback = '' } = from;
  const label = inertName(title ?? '');
  const heading = label && link ? `[${label}](${link})` : fromMrkdwn(title ?? '');
  const shown = [heading, fromMrkdwn(text ?? '')].filter((part) => part !== '').join('\n');
  return markQuote(shown === '' ? fromMrkdwn(fallback) : shown);
}
