import type { Notification } from '@atrium/sdk';
import { describe, expect, it } from 'vitest';
import { actorOf, happened, placeOf } from './notification-words.ts';

const told = (fields: Partial<Notification>) =>
  ({ sessionId: null, messageId: null, taskNumber: null, ...fields }) as Notification;

describe('a notification', () => {
  it('of a kind that a newer server has is still shown, and leads to its project', () => {
    const unknown = told({ kind: 'toString' as 'MENTION', projectSlug: 'garden' });
    expect(happened(unknown)).toBe('has news for you');
    expect(placeOf(unknown)).toEqual({ to: '/p/$slug', params: { slug: 'garden' } });
  });

  it('about a task leads to the task', () => {
    const assigned = told({ kind: 'TASK_ASSIGNED', projectSlug: 'garden', taskNumber: 12 });
    const params = { slug: 'garden', number: '12' };
    expect(placeOf(assigned)).toEqual({ to: '/p/$slug/t/$number', params });
  });

  it('about a broken chat connection or channel says which, and leads to where it is fixed', () => {
    const inWords = (projectSlug: string | null) => {
      const broken = told({ kind: 'CHANNEL_BROKEN', projectSlug });
      return [`${actorOf(broken, String)} ${happened(broken)}`, placeOf(broken).to];
    };
    expect(inWords(null)).toEqual([
      'A chat connection stopped working',
      '/settings/chat-connections',
    ]);
    expect(inWords('garden')).toEqual(['A chat channel stopped working', '/p/$slug/channels']);
  });
});
