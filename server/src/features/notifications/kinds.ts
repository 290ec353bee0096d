/** What people are told about. */
export const KINDS = [
  'MENTION',
  'THREAD_REPLY',
  'AGENT_REPLY',
  'TASK_ASSIGNED',
  'TASK_FINISHED',
  'INVITATION_ACCEPTED',
  'CHANNEL_BROKEN',
] as const;

export type Kind = (typeof KINDS)[number];
