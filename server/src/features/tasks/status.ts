/** In the order of the board's columns. */
export const STATUSES = [
  'PROPOSED',
  'TODO',
  'IN_PROGRESS',
  'IN_REVIEW',
  'DONE',
  'CANCELLED',
] as const;
export type Status = (typeof STATUSES)[number];

/** Lowest first. */
export const PRIORITIES = ['NONE', 'LOW', 'MEDIUM', 'HIGH', 'URGENT'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** How the work of an agent on a task is going, or ended. */
export const RUN_STATUSES = ['RUNNING', 'COMPLETED', 'FAILED', 'STOPPED'] as const;

/** The orders that a list of tasks can have. */
export const SORTS = ['rank', 'dueOn', 'priority', 'updatedAt'] as const;

/** Where agents may move a task that a person has accepted. */
export const AGENT_STATUSES = ['IN_PROGRESS', 'IN_REVIEW'] as const satisfies readonly Status[];

export function isClosed(status: Status): boolean {
  return status === 'DONE' || status === 'CANCELLED';
}
