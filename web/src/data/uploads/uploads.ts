import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { forget, keep, listKept, readKept } from '../device/kept.ts';
import { newId } from '../new-id.ts';
import { createListeners } from '../store.ts';
import { useOwner } from '../workspace.tsx';
import { dropBytes, keepBytes, readBytes } from './bytes.ts';
import type { Upload } from './upload.ts';

/** All uploads of this browser, each under a name of its own, as the entries of the outbox are. */

const PREFIX = 'atrium.upload.';
const changes = createListeners();
const read = new Map<string, readonly Upload[]>();

export const watchUploads = changes.subscribe;

export function uploadsOf(owner: string): readonly Upload[] {
  let uploads = read.get(owner);
  if (!uploads) {
    uploads = listKept(prefixOf(owner))
      .flatMap((name) => parse(readKept(name)))
      .toSorted((a, b) => a.addedAt - b.addedAt || a.id.localeCompare(b.id));
    read.set(owner, uploads);
  }
  return uploads;
}

export function uploadsAt(owner: string, place: string): Upload[] {
  return uploadsOf(owner).filter((upload) => upload.place === place);
}

export function useUploadsAt(place: string): Upload[] {
  const owner = useOwner();
  const uploads = useSyncExternalStore(watchUploads, () => uploadsOf(owner));
  return useMemo(() => uploads.filter((upload) => upload.place === place), [uploads, place]);
}

export function useHasUploads(): boolean {
  const owner = useOwner();
  return useSyncExternalStore(watchUploads, () => uploadsOf(owner).length > 0);
}

export function findUpload(owner: string, id: string): Upload | undefined {
  return parse(readKept(prefixOf(owner) + id))[0];
}

export function saveUpload(owner: string, upload: Upload): void {
  keep(prefixOf(owner) + upload.id, JSON.stringify(upload));
  refresh(owner);
}

/** Nobody needs it any more. What the server has stays. */
export function dropUpload(owner: string, id: string): void {
  forget(prefixOf(owner) + id);
  progress.delete(id);
  void dropBytes(id);
  refresh(owner);
}

export function addUploads(
  owner: string,
  { place, projectId }: Pick<Upload, 'place' | 'projectId'>,
  files: readonly File[],
): void {
  const now = Date.now();
  for (const [nth, file] of files.entries()) {
    const id = newId();
    void keepBytes(id, file);
    const { name, size, type: mediaType } = file;
    const known = { id, place, projectId, name, size, mediaType, addedAt: now + nth / 1_000 };
    saveUpload(owner, { ...known, fileId: null, state: 'waiting', error: null });
  }
}

/** For the bytes that this browser could not keep. */
export function giveBytes(owner: string, upload: Upload, file: File): void {
  void keepBytes(upload.id, file);
  retryUpload(owner, upload);
}

export function retryUpload(owner: string, upload: Upload): void {
  saveUpload(owner, { ...upload, state: 'waiting', error: null });
}

export function moveUploads(owner: string, from: string, to: string): void {
  for (const upload of uploadsAt(owner, from)) saveUpload(owner, { ...upload, place: to });
}

/** The session will be in another project, so the files go there instead. The server purges the others. */
export async function moveToProject(
  owner: string,
  place: string,
  projectId: string,
): Promise<void> {
  for (const upload of uploadsAt(owner, place)) {
    if (upload.projectId === projectId || projectId === '') continue;
    const bytes = await readBytes(upload.id);
    // The person may have removed it meanwhile.
    if (!findUpload(owner, upload.id)) continue;
    const id = newId();
    if (bytes) void keepBytes(id, bytes);
    dropUpload(owner, upload.id);
    saveUpload(owner, { ...upload, id, projectId, fileId: null, state: 'waiting', error: null });
  }
}

export function dropUploadsAt(owner: string, place: string): void {
  for (const { id } of uploadsAt(owner, place)) dropUpload(owner, id);
}

/** How many bytes the server has, as far as this tab knows. */
const progress = new Map<string, number>();
const steps = createListeners();

export function noteProgress(id: string, sent: number): void {
  progress.set(id, sent);
  steps.notify();
}

export function useProgress(id: string): number {
  return useSyncExternalStore(
    steps.subscribe,
    useCallback(() => progress.get(id) ?? 0, [id]),
  );
}

function prefixOf(owner: string): string {
  return `${PREFIX}${owner}.`;
}

function refresh(owner: string): void {
  read.delete(owner);
  changes.notify();
}

addEventListener('storage', ({ key }) => {
  if (key !== null && !key.startsWith(PREFIX)) return;
  read.clear();
  changes.notify();
});

/** Empty if the text isn't an upload, since another version of the app may have written it. */
function parse(text: string | null | undefined): Upload[] {
  if (!text) return [];
  try {
    const upload = JSON.parse(text) as Upload;
    return typeof upload.id === 'string' && typeof upload.place === 'string' ? [upload] : [];
  } catch {
    return [];
  }
}
