import type { Notification } from '@atrium/sdk';
import { linkOptions } from '@tanstack/react-router';

const HAPPENED: Record<Notification['kind'], string> = {
  MENTION: 'mentioned you',
  DIRECT_MESSAGE: 'sent you a message',
  BROADCAST: 'wrote to everyone',
  THREAD_REPLY: 'replied in your thread',
  AGENT_REPLY: 'answered you',
  TASK_ASSIGNED: 'assigned you a task',
  TASK_FINISHED: 'finished a task of yours',
  INVITATION_ACCEPTED: 'accepted your invitation',
  CHANNEL_BROKEN: 'stopped working',
  REMINDER: 'asked to be reminded',
  SCHEDULED_FAILED: 'wasn’t sent',
};

/** What happened, after the name of whoever did it: "Ada mentioned you". */
export function happened({ kind }: Notification): string {
  // A newer server may tell of more than this page knows.
  return Object.hasOwn(HAPPENED, kind) ? HAPPENED[kind] : 'has news for you';
}

/** Whoever did it, or what it happened to. An agent is called what its team calls it. */
export function actorOf(
  { kind, actorName, actorAgent, projectSlug }: Notification,
  agentName: (slug: string) => string,
): string {
  if (kind === 'CHANNEL_BROKEN') {
    return projectSlug === null ? 'A chat connection' : 'A chat channel';
  }
  if (kind === 'REMINDER') return 'You';
  if (kind === 'SCHEDULED_FAILED') return 'Your scheduled message';
  return actorAgent === null ? (actorName ?? 'Somebody') : agentName(actorAgent);
}

/** Where to read what a notification is about. */
export function placeOf(notification: Notification) {
  const { kind, projectSlug: slug, sessionId, messageId, taskNumber } = notification;
  if (kind === 'CHANNEL_BROKEN') {
    return slug === null
      ? linkOptions({ to: '/settings/chat-connections' })
      : linkOptions({ to: '/p/$slug/channels', params: { slug } });
  }
  if (slug !== null && taskNumber !== null) {
    return linkOptions({ to: '/p/$slug/t/$number', params: { slug, number: String(taskNumber) } });
  }
  if (slug !== null && sessionId !== null) {
    return linkOptions({
      to: '/p/$slug/s/$sessionId',
      params: { slug, sessionId },
      search: messageId === null ? {} : { m: messageId },
    });
  }
  if (kind === 'REMINDER') return linkOptions({ to: '/later', search: { show: 'reminders' } });
  if (kind === 'SCHEDULED_FAILED') {
    return linkOptions({ to: '/later', search: { show: 'scheduled' } });
  }
  if (slug !== null) return linkOptions({ to: '/p/$slug', params: { slug } });
  return linkOptions({ to: kind === 'INVITATION_ACCEPTED' ? '/settings/members' : '/' });
}
