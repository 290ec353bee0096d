import { APP_ID, BOT_ID, BOT_USER_ID, type SlackFile, type SlackWorld } from './slack-world.ts';

interface Upload {
  id: string;
  name: string;
  length: number;
  /** Undefined until they have arrived. */
  bytes?: Buffer;
  /** The messages that show it, by channel. */
  shares: Record<string, { ts: string }[]>;
}

export type SlackUploads = ReturnType<typeof createSlackUploads>;

/** Files that the app uploads: an address for the bytes, then a message that shows them. */
export function createSlackUploads(world: SlackWorld, origin: () => string) {
  const uploads = new Map<string, Upload>();
  const pathOf = (id: string) => `/upload/v1/${id}`;

  return {
    begin(name: string, length: number) {
      const id = `FUP${uploads.size + 1}`;
      uploads.set(id, { id, name, length, shares: {} });
      return { file_id: id, upload_url: origin() + pathOf(id) };
    },
    /** False if nobody asked for this address, or for another length. */
    receive(path: string, bytes: Buffer): boolean {
      const upload = [...uploads.values()].find(({ id }) => pathOf(id) === path);
      if (upload?.length !== bytes.length) return false;
      upload.bytes = bytes;
      return true;
    },
    /** As one message of the bot's. Undefined if the bytes of one are missing. */
    share(channelId: string, ids: readonly string[], threadTs?: string): SlackFile[] | undefined {
      const found = ids.flatMap((id) => uploads.get(id) ?? []);
      if (found.length < ids.length || found.some(({ bytes }) => !bytes)) return undefined;
      const files = found.map(({ id, name, length: size }) => {
        return { id, name, size, permalink: `https://acme.slack.com/files/${id}` };
      });
      const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
      const bot = { bot_id: BOT_ID, app_id: APP_ID, subtype: 'file_share' };
      const { ts } = world.write(channelId, BOT_USER_ID, '', { ...bot, files, ...thread });
      for (const { shares } of found) (shares[channelId] ??= []).push({ ts });
      return files;
    },
    find(id: string) {
      const upload = uploads.get(id);
      return upload && { id, name: upload.name, shares: { public: upload.shares } };
    },
    remove(id: string): boolean {
      for (const messages of world.messages.values()) {
        for (const message of messages) {
          if (message.files) message.files = message.files.filter((file) => file.id !== id);
        }
      }
      return uploads.delete(id);
    },
    /** All that have their bytes, in order. */
    received: () => [...uploads.values()].filter(({ bytes }) => bytes),
    bytesOf: (id: string) => uploads.get(id)?.bytes,
  };
}
