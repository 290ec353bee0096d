import type { TaskActivity } from '@atrium/sdk';
import { countOf } from '../../../ui/text/count-of.ts';
import { STATUS } from '../statuses.ts';
import { dueInWords, PRIORITY } from '../task-words.ts';

export type Change = TaskActivity['changes'][number];

const TOGETHER_MS = 5 * 60_000;

export interface ActivityGroup {
  first: TaskActivity;
  /** The same as the first, or one that followed shortly after, by the same person or agent. */
  last: TaskActivity;
  changes: Change[];
}

export function groupOf(entry: TaskActivity): ActivityGroup {
  return { first: entry, last: entry, changes: entry.changes };
}

/** What one person did within minutes is told as one, and a field that changed twice is told once. */
export function joinGroups(before: ActivityGroup, after: ActivityGroup): ActivityGroup | undefined {
  if (!isSameBreath(before.last, after.first)) return undefined;
  const changes = mergeChanges(before.changes, after.changes);
  return changes.length > 0 ? { first: before.first, last: after.last, changes } : undefined;
}

function isCreation({ changes }: TaskActivity): boolean {
  return changes.length === 0;
}

function isSameBreath(before: TaskActivity, entry: TaskActivity): boolean {
  // That a task was created stands alone.
  if (isCreation(before) || isCreation(entry)) return false;
  if (before.actorUserId !== entry.actorUserId || before.actorAgent !== entry.actorAgent) {
    return false;
  }
  return Date.parse(entry.createdAt) - Date.parse(before.createdAt) < TOGETHER_MS;
}

function mergeChanges(before: readonly Change[], after: readonly Change[]): Change[] {
  const merged = new Map(before.map((change) => [change.field, change]));
  for (const change of after) {
    const known = merged.get(change.field);
    merged.set(change.field, known ? { ...change, from: known.from } : change);
  }
  return [...merged.values()].filter(
    ({ field, from, to }) => field === 'description' || !isSame(from, to),
  );
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

export function changeInWords(change: Change, nameOf: (value: string) => string): string {
  const { field, from, to } = change;
  const text = typeof to === 'string' ? to : '';
  switch (field) {
    case 'status':
      return `moved it from ${named(STATUS, from)} to ${named(STATUS, to)}`;
    case 'priority':
      return to === 'NONE' ? 'removed the priority' : `set the priority to ${named(PRIORITY, to)}`;
    case 'assigneeUserId':
      return text ? `assigned it to ${nameOf(text)}` : 'removed the assignee';
    case 'assigneeAgent':
      return text ? `assigned it to ${nameOf(`@${text}`)}` : 'removed the agent';
    case 'dueOn':
      return text ? `set the due date to ${dueInWords(text)}` : 'removed the due date';
    case 'labels':
      return labelsInWords(from, to);
    case 'fileIds':
      return filesInWords(from, to);
    case 'title':
      return `renamed it to “${text}”`;
    case 'description':
      return 'changed the description';
    case 'parentTaskId':
      return to ? 'made it a subtask' : 'made it a task of its own';
    case 'archivedAt':
      return to ? 'archived it' : 'restored it';
    default:
      return `changed ${field}`;
  }
}

function labelsInWords(from: unknown, to: unknown): string {
  const [before, after] = [toNames(from), toNames(to)];
  const added = after.filter((label) => !before.includes(label));
  const removed = before.filter((label) => !after.includes(label));
  const words = [
    added.length > 0 && `added ${nameLabels(added)}`,
    removed.length > 0 && `removed ${nameLabels(removed)}`,
  ];
  return words.filter(Boolean).join(' and ') || 'changed the labels';
}

/** Their names are below the description, as far as they are still there. */
function filesInWords(from: unknown, to: unknown): string {
  const [before, after] = [toNames(from), toNames(to)];
  const added = after.filter((id) => !before.includes(id)).length;
  const removed = before.filter((id) => !after.includes(id)).length;
  const words = [
    added > 0 && `added ${countOf(added, 'file')}`,
    removed > 0 && `removed ${countOf(removed, 'file')}`,
  ];
  return words.filter(Boolean).join(' and ') || 'changed the order of the files';
}

function nameLabels(labels: readonly string[]): string {
  return `the ${labels.length === 1 ? 'label' : 'labels'} ${labels.join(', ')}`;
}

function toNames(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function named(names: Record<string, string>, value: unknown): string {
  return names[String(value)] ?? String(value);
}
