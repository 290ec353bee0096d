import type { AuditEntry } from '@atrium/sdk';

/** Actions are stable codes for programs, such as `org_key.rotated`. People get a sentence. */

const THINGS: Record<string, string> = {
  key: 'API key',
  org_key: 'Organisation key',
  mcp_server: 'Integration',
  model_provider: 'Model provider',
  channel_connection: 'Chat connection',
  channel: 'Chat channel',
  org: 'Organisation',
  billing: 'Payment',
};

/** The types that the log has, for its filter. */
export const RESOURCE_TYPES = [
  'project',
  'session',
  'message',
  'memory',
  'agent',
  'task',
  'mcp_server',
  'model_provider',
  'channel_connection',
  'channel',
  'key',
  'org_key',
  'member',
  'invitation',
  'billing',
  'org',
] as const;

const SPECIAL: Record<string, string> = {
  'billing.checkout_opened': 'Payment page opened',
  'member.exported': 'Own data exported',
  'member.handle_changed': 'Handle changed',
  'member.joined': 'Joined the organisation',
  'member.role_changed': 'Role changed',
  'mcp_server.bound': 'Integration’s projects changed',
  'mcp_server.created': 'Integration added',
  'model_provider.created': 'Model provider added',
  'org.updated': 'Organisation changed',
  'project.member_added': 'Person added to a project',
  'project.member_removed': 'Person removed from a project',
};

interface Names {
  person: (userId: string | null) => string;
  agent: (slug: string) => string;
  orgKey: (keyId: string | null) => string | undefined;
}

type Actor = Pick<AuditEntry, 'actorKind' | 'actorUserId' | 'actorAgent' | 'keyId'>;

/** Who did it, and how. What an agent did is not shown as if the person who asked had done it. */
export function actorInWords(entry: Actor, names: Names): { who: string; how: string } {
  const { actorKind, actorUserId, actorAgent, keyId } = entry;
  if (actorAgent !== null) {
    const asker = `asked by ${names.person(actorUserId)}`;
    return { who: names.agent(actorAgent), how: keyId ? `${asker} with an API key` : asker };
  }
  if (actorKind === 'user') {
    return { who: names.person(actorUserId), how: keyId ? 'with an API key' : 'in the browser' };
  }
  if (actorKind === 'org-key') {
    const who = names.orgKey(keyId) ?? 'An organisation key';
    return { who, how: '(v1 organisation key)' };
  }
  return { who: 'Atrium', how: 'automatically' };
}

export function actionInWords(action: string): string {
  const special = SPECIAL[action];
  if (special) return special;
  const [thing = '', ...verbs] = action.split('.');
  return `${thingInWords(thing)} ${verbs.join(' ').replaceAll('_', ' ')}`.trim();
}

/** `mcp_server` becomes `Integration`. Unknown codes at least become readable. */
export function thingInWords(thing: string): string {
  const plain = thing.replaceAll('_', ' ');
  return THINGS[thing] ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}
