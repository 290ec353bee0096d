import type { Task } from '@atrium/sdk';
import { dayInWords } from '../../ui/text/days.ts';
import type { Status } from './statuses.ts';

export type Priority = Task['priority'];

export const STATUS: Record<Status, string> = {
  PROPOSED: 'Proposed',
  TODO: 'To do',
  IN_PROGRESS: 'In progress',
  IN_REVIEW: 'In review',
  DONE: 'Done',
  CANCELLED: 'Cancelled',
};
export const OPEN: Status[] = ['PROPOSED', 'TODO', 'IN_PROGRESS', 'IN_REVIEW'];

export const PRIORITY: Record<Priority, string> = {
  URGENT: 'Urgent',
  HIGH: 'High',
  MEDIUM: 'Medium',
  LOW: 'Low',
  NONE: 'None',
};

export function isClosed({ status }: Pick<Task, 'status'>): boolean {
  return status === 'DONE' || status === 'CANCELLED';
}

/** A day in the person's time zone, as `2027-01-31`. */
export function dayFromNow(days: number): string {
  const at = new Date();
  at.setDate(at.getDate() + days);
  const pad = (number: number) => String(number).padStart(2, '0');
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
}

/** "today", "tomorrow" or the date. */
export function dueInWords(dueOn: string): string {
  if (dueOn === dayFromNow(0)) return 'today';
  return dueOn === dayFromNow(1) ? 'tomorrow' : dayInWords(dueOn);
}

export function isOverdue({ dueOn, status }: Pick<Task, 'dueOn' | 'status'>): boolean {
  return dueOn !== null && dueOn < dayFromNow(0) && !isClosed({ status });
}
