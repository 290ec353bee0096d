import { describe, expect, it } from 'vitest';
import { statusInWords } from './connection-words.ts';

const status = (now: 'CONNECTING' | 'CONNECTED' | 'BROKEN', lastError: string | null = null) =>
  statusInWords({ status: now, provider: 'SLACK', lastError });

describe('the status of a chat connection', () => {
  it('says in words what to do, if there is something to do', () => {
    expect(status('CONNECTED')).toEqual({ name: 'Connected', tone: 'good' });
    expect(status('CONNECTED', 'no')).toMatchObject({
      tone: 'warn',
      about: 'The last test failed.',
    });
    expect(status('CONNECTING')).toEqual({ name: 'Connecting', tone: 'warn' });
    expect(status('CONNECTING', 'no')).toMatchObject({ name: 'Connecting again' });
    expect(status('BROKEN').about).toMatch(/^Slack no longer accepts the token. Enter a new one/);
  });
});
