import type { Task } from '@atrium/sdk';

export type Status = Task['status'];

/** What each is called, in the order in which work passes through them. */
export const STATUS: Record<Status, string> = {
  PROPOSED: 'Proposed',
  TODO: 'To do',
  IN_PROGRESS: 'In progress',
  IN_REVIEW: 'In review',
  DONE: 'Done',
  CANCELLED: 'Cancelled',
};
