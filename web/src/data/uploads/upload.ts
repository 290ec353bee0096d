/** A file on its way to the server. It stays on this device until what it belongs to has it. */
export interface Upload {
  id: string;
  /** What it belongs to: see `places`. */
  place: string;
  projectId: string;
  name: string;
  size: number;
  mediaType: string;
  /** In ms. Files that belong to the same are in this order. */
  addedAt: number;
  /** Under which the server has opened the upload, or null. */
  fileId: string | null;
  /**
   * Waiting for its turn, or on its way; stored by the server; failed, with the reason; or without its bytes, which
   * this browser could not keep when the page was closed.
   */
  state: 'waiting' | 'stored' | 'failed' | 'missing';
  error: string | null;
}

/** Where files go once they are stored. */
export const places = {
  /** A message that is being written, by the place of its draft. */
  draft: (place: string) => `draft.${place}`,
  /** A message in the outbox. */
  entry: (entryId: string) => `entry.${entryId}`,
  task: (taskId: string) => `task.${taskId}`,
  /** The files that the Project's members share. */
  project: (projectId: string) => `project.${projectId}`,
};

/** The id of the task or Project that gets the file, if it is for one. */
export function targetOf({ place }: Upload): { task: string } | { project: string } | null {
  const [kind, id = ''] = place.split('.');
  if (kind === 'task') return { task: id };
  return kind === 'project' ? { project: id } : null;
}

/** As in a message. */
export const MOST_FILES = 10;

/** The server keeps what nobody attached for 24 hours. */
const STORED_MS = 23 * 3_600_000;

/** What is left of an upload when the page is opened again. Null if it is of no use. */
export function reopened(upload: Upload, now: number): Upload | null {
  if (now - upload.addedAt < STORED_MS) return upload;
  // The task or Project would get a file that nobody waits for any more.
  if (targetOf(upload)) return null;
  return { ...upload, fileId: null, state: upload.state === 'stored' ? 'waiting' : upload.state };
}

/** Whether somebody chose the same file again, as far as a page can tell. */
export function isSameFile(upload: Upload, file: Pick<File, 'name' | 'size'>): boolean {
  return upload.name === file.name && upload.size === file.size;
}

/** Whether nothing happens by itself any more. */
export function isStuck({ state }: Upload): boolean {
  return state === 'failed' || state === 'missing';
}

const PASTED = /^image\.(png|jpe?g|webp|gif|avif)$/i;

/** Browsers call every pasted picture the same. */
export function nameOfPasted(name: string, now: Date): string {
  const ending = PASTED.exec(name)?.[1];
  if (ending === undefined) return name;
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-');
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('.');
  return `Screenshot ${day} ${time}.${ending.toLowerCase()}`;
}
