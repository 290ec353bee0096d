import type { Task } from '@atrium/sdk';

export type Status = Task['status'];

/** In the order in which work passes through them. */
export const STATUSES = [
  'PROPOSED',
  'TODO',
  'IN_PROGRESS',
  'IN_REVIEW',
  'DONE',
  'CANCELLED',
] as const satisfies readonly Status[];
