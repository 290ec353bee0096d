import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { SCOPES, slackManifest } from './slack-manifest.ts';

const docs = new URL('../../../../../docs/operations/chat.md', import.meta.url);

describe('the Slack manifest', () => {
  it('is the one in the docs, which give a reason for each scope too', async () => {
    const page = await readFile(docs, 'utf8');
    const written = /```json\n(\{\s+"display_information".*?)```/s.exec(page)?.[1] ?? '';
    expect(sorted(JSON.parse(slackManifest('socket')))).toEqual(sorted(JSON.parse(written)));
    for (const { scopes } of SCOPES) {
      expect(page).toContain(`| ${scopes.map((scope) => `\`${scope}\``).join(', ')} |`);
    }
  });

  it('of the Events API has events only with the address that Slack sends them to', () => {
    const parse = (requestUrl: string | null) => JSON.parse(slackManifest({ requestUrl })).settings;
    expect(parse(null)).toEqual({
      interactivity: { is_enabled: false },
      org_deploy_enabled: false,
      socket_mode_enabled: false,
    });
    expect(parse('https://atrium.example.com/hook')).toMatchObject({
      event_subscriptions: {
        request_url: 'https://atrium.example.com/hook',
        bot_events: expect.arrayContaining(['message.channels', 'tokens_revoked']),
      },
      socket_mode_enabled: false,
    });
  });
});

/** The order of scopes means nothing. */
function sorted(manifest: { oauth_config: { scopes: { bot: string[] } } }) {
  manifest.oauth_config.scopes.bot.sort();
  return manifest;
}
