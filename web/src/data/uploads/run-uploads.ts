import { AtriumError, NotFoundError, type Atrium, type File as StoredFile } from '@atrium/sdk';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { inTurn } from '../in-turn.ts';
import { keys } from '../query-keys.ts';
import { refetchTasks } from '../refetch-tasks.ts';
import { useOwner, useWorkspace } from '../workspace.tsx';
import { dropOtherBytes, readBytes } from './bytes.ts';
import { refusalInWords } from './refusal-in-words.ts';
import { reopened, targetOf, type Upload } from './upload.ts';
import {
  dropUpload,
  findUpload,
  noteProgress,
  saveUpload,
  uploadsOf,
  watchUploads,
} from './uploads.ts';

/** Uploads what is waiting, and goes on with what another page left behind. Mounted once, around all screens. */
export function Uploads(): null {
  const owner = useOwner();
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  useEffect(
    () => startUploads(owner, client, { queryClient, orgId: org.id }),
    [owner, client, queryClient, org.id],
  );
  return null;
}

interface Cache {
  queryClient: QueryClient;
  orgId: string;
}

/** At the same time. More would only make each slower. */
const MOST_AT_ONCE = 3;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 30_000;

function startUploads(owner: string, client: Atrium, cache: Cache): () => void {
  const stopping = new AbortController();
  /** Those that this tab uploads, or wants to. */
  const running = new Map<string, AbortController>();
  const inSlot = createSlots(MOST_AT_ONCE);
  for (const upload of uploadsOf(owner)) {
    const left = reopened(upload, Date.now());
    if (left === null) dropUpload(owner, upload.id);
    else if (left !== upload) saveUpload(owner, left);
  }
  void dropOtherBytes(new Set(uploadsOf(owner).map(({ id }) => id)));
  const wake = () => {
    const waiting = uploadsOf(owner).filter(({ state }) => state === 'waiting');
    for (const { id } of waiting) {
      if (!running.has(id)) start(id);
    }
    for (const [id, run] of running) {
      // Cancelled, here or in another tab.
      if (!findUpload(owner, id)) run.abort();
    }
  };
  const stopWatching = watchUploads(wake);
  wake();
  return () => {
    stopping.abort();
    stopWatching();
  };

  function start(id: string): void {
    const run = new AbortController();
    running.set(id, run);
    const signal = AbortSignal.any([run.signal, stopping.signal]);
    inTurn(`atrium.upload.${id}`, signal, () => inSlot(() => uploadUntilDone(id, signal)))
      .catch((error: unknown) => {
        if (!signal.aborted) reportError(error);
      })
      .finally(() => {
        running.delete(id);
        // It may have been released again meanwhile.
        if (!stopping.signal.aborted && findUpload(owner, id)?.state === 'waiting') wake();
      });
  }

  async function uploadUntilDone(id: string, signal: AbortSignal): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const upload = findUpload(owner, id);
      if (upload?.state !== 'waiting' || signal.aborted) return;
      const bytes = await readBytes(id);
      if (!bytes) return saveUpload(owner, { ...upload, state: 'missing' });
      try {
        return await attempt(upload, bytes, signal);
      } catch (error) {
        const now = findUpload(owner, id);
        if (!now || signal.aborted) return;
        // It was begun more than a day ago, or its Project is another one now.
        if (error instanceof NotFoundError && now.fileId !== null) {
          saveUpload(owner, { ...now, fileId: null });
        } else if (!mayPass(error)) {
          return saveUpload(owner, { ...now, ...(await problemOf(error, bytes)) });
        }
        await sleepUntilOnline(pause, signal);
      }
    }
  }

  async function attempt(upload: Upload, bytes: Blob, signal: AbortSignal): Promise<void> {
    const { id, projectId, name, mediaType, fileId } = upload;
    const file = await client.files.upload(projectId, bytes, {
      name,
      mediaType,
      signal,
      ...(fileId !== null && { resume: fileId }),
      onProgress({ fileId: opened, sent }) {
        noteProgress(id, sent);
        const now = findUpload(owner, id);
        if (now && now.fileId !== opened) saveUpload(owner, { ...now, fileId: opened });
      },
    });
    await hand(upload, file);
    const now = findUpload(owner, id);
    if (!now) return;
    if (targetOf(now)) return dropUpload(owner, id);
    saveUpload(owner, { ...now, fileId: file.id, state: 'stored' });
  }

  /** To the task or Project that it is for. A message takes its files itself. */
  async function hand(upload: Upload, { id }: StoredFile): Promise<void> {
    const { projectId } = upload;
    const target = targetOf(upload);
    if (!target) return;
    if ('project' in target) await client.files.update(id, { isShared: true });
    else await addToTask(client, projectId, target.task, id);
    const { queryClient, orgId } = cache;
    await queryClient.invalidateQueries({ queryKey: keys.files(orgId) });
    if ('task' in target) await refetchTasks(queryClient, orgId, projectId);
  }
}

/** One after the other, because each sends the whole list. */
function addToTask(
  client: Atrium,
  projectId: string,
  taskId: string,
  fileId: string,
): Promise<void> {
  return inTurn(`atrium.task-files.${taskId}`, undefined, async () => {
    const { attachments } = await client.tasks.get(projectId, taskId);
    const fileIds = attachments.map((one) => one.fileId).filter((id) => id !== fileId);
    await client.tasks.setFiles(projectId, taskId, { fileIds: [...fileIds, fileId] });
  });
}

/** The server may answer otherwise later. */
function mayPass(error: unknown): boolean {
  // Such as the code for uploads, which is loaded when it is first needed.
  if (!(error instanceof AtriumError)) return !navigator.onLine;
  const { status, code } = error;
  if (status === undefined) return code === 'CONNECTION_ERROR' || code === 'TIMEOUT';
  return status >= 500 || status === 429 || status === 401;
}

/** Why it can't go on: the server refused it, or the file has changed or is gone. */
async function problemOf(error: unknown, bytes: Blob): Promise<Pick<Upload, 'state' | 'error'>> {
  const isReadable = await canRead(bytes);
  if (!isReadable) return { state: 'missing', error: null };
  if (!(error instanceof AtriumError)) return { state: 'failed', error: 'Something went wrong.' };
  return { state: 'failed', error: refusalInWords(error) };
}

async function canRead(bytes: Blob): Promise<boolean> {
  try {
    await bytes.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

function createSlots(most: number): (run: () => Promise<void>) => Promise<void> {
  let used = 0;
  const waiting: (() => void)[] = [];
  return async (run) => {
    if (used < most) used++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      await run();
    } finally {
      const next = waiting.shift();
      // It takes this place over.
      if (next) next();
      else used--;
    }
  };
}

function sleepUntilOnline(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      removeEventListener('online', finish);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    addEventListener('online', finish);
    signal.addEventListener('abort', finish);
  });
}
