import type { ChatGuard } from '../guard.ts';
import { ChatFailure, isChatFailure, type FileUpload, type ThreadFiles } from '../provider.ts';
import { uploadTo } from '../upload.ts';
import type { SlackCall } from './slack-call.ts';

/** Slack takes no larger ones. A workspace may have less room, and then refuses the file. */
const LARGEST_BYTES = 1024 ** 3;

/** Asks for an address, and sends the bytes there. Slack shows the file to nobody until it is shared. */
export async function uploadToSlack(
  call: SlackCall,
  guard: ChatGuard,
  file: FileUpload,
  signal?: AbortSignal,
): Promise<string> {
  const { name: filename, size: length } = file;
  if (length > LARGEST_BYTES) {
    throw new ChatFailure('too_large', 'Slack takes no file of this size');
  }
  const asked = { filename, length };
  const { upload_url: url = '', file_id: id } = await call(
    (client) => client.files.getUploadURLExternal(asked),
    signal,
  );
  if (id === undefined || !isOfSlack(url, guard)) {
    throw new ChatFailure(
      'forbidden',
      'Slack names an address for the file that is somewhere else',
    );
  }
  // The address is the permission. The token is not sent there.
  await uploadTo(url, file, guard, {}, signal);
  return id;
}

/** A message of a bot under somebody's name can't bring files, so they appear in its thread. */
export function slackThreadFiles(call: SlackCall): ThreadFiles {
  return {
    async share({ channelId, threadId }, fileIds, signal) {
      const [first, ...others] = fileIds.map((id) => ({ id }));
      if (!first) return;
      await call(
        (client) =>
          client.files.completeUploadExternal({
            files: [first, ...others],
            channel_id: channelId,
            thread_ts: threadId,
          }),
        signal,
      );
    },
    isShared: async (channelId, fileId, signal) =>
      (await sharesOf(call, channelId, fileId, signal)).length > 0,
    async remove(fileId, signal) {
      await call((client) => client.files.delete({ file: fileId }), signal).catch(unlessGone);
    },
    async hide(channel, fileId, signal) {
      try {
        for (const ts of await sharesOf(call, channel, fileId, signal)) {
          await call((client) => client.chat.delete({ channel, ts }), signal);
        }
      } catch (error) {
        unlessGone(error);
      }
    },
  };
}

/** The messages that show the file in this channel. */
async function sharesOf(
  call: SlackCall,
  channelId: string,
  fileId: string,
  signal?: AbortSignal,
): Promise<string[]> {
  const { file } = await call((client) => client.files.info({ file: fileId }), signal);
  const { public: open = {}, private: closed = {} } = file?.shares ?? {};
  return [open, closed].flatMap((shares) =>
    (shares[channelId] ?? []).flatMap(({ ts }) => ts ?? []),
  );
}

/** Also what Slack does not let us delete any more. */
function unlessGone(error: unknown): void {
  if (!isChatFailure(error, 'not_found', 'rejected', 'forbidden')) throw error;
}

/** Nobody else gets the token, or a file. */
export function isOfSlack(url: string, { slackOrigin }: ChatGuard): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, origin } = new URL(url);
  if (slackOrigin !== undefined) return origin === slackOrigin;
  return protocol === 'https:' && hostname.endsWith('.slack.com');
}
