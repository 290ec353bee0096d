import type { Task } from '@atrium/sdk';
import { dayInWords, dayOf } from '../../ui/text/days.ts';
import type { Status } from './statuses.ts';

export type Priority = Task['priority'];

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

/** The last run came to nothing, and the task is still to be done. */
export function isUnfinished(task: Task): boolean {
  return (task.run?.status === 'FAILED' || task.run?.status === 'STOPPED') && !isClosed(task);
}

/** Assigned to an agent that nobody has asked to begin: assigning alone starts nothing. */
export function isWaitingForStart(task: Task): boolean {
  const { assigneeAgent, run, status } = task;
  if (assigneeAgent === null || run?.agent === assigneeAgent) return false;
  return status !== 'PROPOSED' && !isClosed(task) && run?.status !== 'RUNNING';
}

/** A day in the person's time zone, as `2027-01-31`. */
export function dayFromNow(days: number): string {
  return dayOf(new Date(), days);
}

/** "today", "tomorrow" or the date. */
export function dueInWords(dueOn: string): string {
  if (dueOn === dayFromNow(0)) return 'today';
  return dueOn === dayFromNow(1) ? 'tomorrow' : dayInWords(dueOn);
}

export function isOverdue({ dueOn, status }: Pick<Task, 'dueOn' | 'status'>): boolean {
  return dueOn !== null && dueOn < dayFromNow(0) && !isClosed({ status });
}
