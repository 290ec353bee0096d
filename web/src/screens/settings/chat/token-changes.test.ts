import { describe, expect, it } from 'vitest';
import { NO_TOKENS } from './connection-fields.tsx';
import { tokenChanges } from './token-changes.ts';

const bySocket = { provider: 'SLACK', mode: 'SOCKET' } as const;
const byWebhook = { provider: 'SLACK', mode: 'WEBHOOK' } as const;

describe('changes of tokens', () => {
  it('are only those that were entered', () => {
    expect(tokenChanges(bySocket, 'SOCKET', NO_TOKENS)).toEqual({});
    const entered = { ...NO_TOKENS, botToken: 'b' };
    expect(tokenChanges(byWebhook, 'WEBHOOK', entered)).toEqual({ botToken: 'b' });
    const mattermost = { provider: 'MATTERMOST', mode: 'SOCKET' } as const;
    expect(tokenChanges(mattermost, 'SOCKET', { ...NO_TOKENS, appToken: 'a' })).toEqual({});
  });

  it('switch Slack between Socket Mode and the Events API', () => {
    const tokens = { botToken: '', appToken: 'a', signingSecret: 's' };
    const switched = { appToken: null, signingSecret: 's' };
    expect(tokenChanges(bySocket, 'WEBHOOK', tokens)).toEqual(switched);
    expect(tokenChanges(byWebhook, 'SOCKET', tokens)).toEqual({ appToken: 'a' });
    // The server says which field is missing.
    expect(tokenChanges(byWebhook, 'SOCKET', NO_TOKENS)).toEqual({ appToken: '' });
  });
});
