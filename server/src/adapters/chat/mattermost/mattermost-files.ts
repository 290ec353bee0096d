import type { ChatGuard } from '../guard.ts';
import { ChatFailure, type FileUpload } from '../provider.ts';
import { uploadTo } from '../upload.ts';
import { parseObject } from './parse-object.ts';

interface Server {
  baseUrl: string;
  token: string;
  guard: ChatGuard;
  /** What the server tells its clients about itself. */
  config: Record<string, string | undefined>;
}

/** Until a post names it, the file is seen by the bot alone. */
export async function uploadToMattermost(
  { baseUrl, token, guard, config }: Server,
  channelId: string,
  file: FileUpload,
  signal?: AbortSignal,
): Promise<string> {
  if (config['EnableFileAttachments'] === 'false') {
    throw new ChatFailure('rejected', 'this Mattermost server takes no files');
  }
  if (file.size > Number(config['MaxFileSize'] ?? Infinity)) {
    throw new ChatFailure('too_large', 'this Mattermost server takes no file of this size');
  }
  const query = new URLSearchParams({ channel_id: channelId, filename: file.name });
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const answer = await uploadTo(
    `${baseUrl}/api/v4/files?${query.toString()}`,
    file,
    guard,
    headers,
    signal,
  );
  const { file_infos: infos } = (parseObject(answer) ?? {}) as { file_infos?: { id?: unknown }[] };
  const id = infos?.[0]?.id;
  if (typeof id === 'string' && id !== '') return id;
  throw new ChatFailure('wrong_server', 'the server did not say which file it stored');
}
