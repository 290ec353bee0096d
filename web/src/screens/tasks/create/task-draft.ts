import type { Task } from '@atrium/sdk';
import { forget, keep, readKept } from '../../../data/device/kept.ts';

/** A task that is being written. */
export interface TaskDraft {
  /** The project's. */
  slug: string | undefined;
  title: string;
  description: string;
  status: Task['status'];
  priority: Task['priority'];
  /** As in `assignees.ts`. */
  assignee: string;
  labels: string[];
  dueOn: string | null;
}

export const EMPTY_DRAFT: TaskDraft = {
  slug: undefined,
  title: '',
  description: '',
  status: 'TODO',
  priority: 'NONE',
  assignee: '',
  labels: [],
  dueOn: null,
};

const nameOf = (owner: string) => `atrium.new-task.${owner}`;

/** What was begun and not created, on this device. */
export function readTaskDraft(owner: string): TaskDraft | undefined {
  try {
    const stored: unknown = JSON.parse(readKept(nameOf(owner)) ?? 'null');
    return isDraft(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** Without any text there is nothing to keep. */
export function keepTaskDraft(owner: string, draft: TaskDraft): void {
  if (draft.title.trim() === '' && draft.description.trim() === '') forget(nameOf(owner));
  else keep(nameOf(owner), JSON.stringify(draft));
}

/** An older version of the app may have stored something else. */
function isDraft(stored: unknown): stored is TaskDraft {
  if (typeof stored !== 'object' || stored === null) return false;
  const { title, description, labels } = stored as Partial<TaskDraft>;
  return typeof title === 'string' && typeof description === 'string' && Array.isArray(labels);
}
