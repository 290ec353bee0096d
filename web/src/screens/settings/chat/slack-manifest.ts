/** Which rights the app asks for in Slack, and what each is for. */
export const SCOPES = [
  {
    scopes: ['channels:history', 'groups:history'],
    why: 'Reads messages in channels that the bot was invited to, including those it missed.',
  },
  { scopes: ['channels:read', 'groups:read'], why: 'Lists channels by name.' },
  {
    scopes: ['chat:write', 'chat:write.customize'],
    why: 'Posts messages under their author’s name.',
  },
  { scopes: ['files:read'], why: 'Brings files of messages here. Without it they stay links.' },
  { scopes: ['files:write'], why: 'Uploads files of messages. Without it they are links.' },
  {
    scopes: ['metadata.message:read'],
    why: 'Recognises its own messages, so that none is posted twice.',
  },
  { scopes: ['reactions:read', 'reactions:write'], why: 'Carries reactions both ways.' },
  {
    scopes: ['users:read', 'users:read.email'],
    why: 'Shows people’s names, and finds out from their addresses who is a member here.',
  },
];

const EVENTS = [
  'app_uninstalled',
  'channel_archive',
  'channel_deleted',
  'channel_left',
  'channel_rename',
  'group_archive',
  'group_deleted',
  'group_left',
  'group_rename',
  'message.channels',
  'message.groups',
  'reaction_added',
  'reaction_removed',
  'tokens_revoked',
];

/**
 * How Slack sends events. Its Events API needs an address, which is known once the connection exists. Until
 * then the app subscribes to nothing, because Slack refuses events without an address.
 */
export type Delivery = 'socket' | { requestUrl: string | null };

/** The description of the app, to paste into Slack. */
export function slackManifest(delivery: Delivery): string {
  const isSocket = delivery === 'socket';
  const requestUrl = isSocket ? null : delivery.requestUrl;
  const manifest = {
    display_information: { name: 'Atrium' },
    features: { bot_user: { display_name: 'Atrium', always_online: true } },
    oauth_config: { scopes: { bot: SCOPES.flatMap(({ scopes }) => scopes) } },
    settings: {
      ...((isSocket || requestUrl) && {
        event_subscriptions: {
          ...(requestUrl && { request_url: requestUrl }),
          bot_events: EVENTS,
        },
      }),
      interactivity: { is_enabled: false },
      org_deploy_enabled: false,
      socket_mode_enabled: isSocket,
    },
  };
  return JSON.stringify(manifest, null, 2);
}

/** Where Slack sends events for a connection. */
export function requestUrlOf(connectionId: string): string {
  return `${location.origin}/api/webhooks/slack/${connectionId}`;
}
