/** What people are told about. */
export const KINDS = [
  'MENTION',
  'BROADCAST',
  'THREAD_REPLY',
  'AGENT_REPLY',
  'TASK_ASSIGNED',
  'TASK_FINISHED',
  'INVITATION_ACCEPTED',
  'CHANNEL_BROKEN',
  'REMINDER',
  'SCHEDULED_FAILED',
  'DIRECT_MESSAGE',
] as const;
