import type { AuditEntry } from '@atrium/sdk';

/** Actions are stable codes for programs, such as `org_key.rotated`. People get a sentence. */

const THINGS: Record<string, string> = {
  key: 'API key',
  org_key: 'Organisation key',
  mcp_server: 'Integration',
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
  'org.updated': 'Organisation renamed',
  'project.member_added': 'Person added to a project',
  'project.member_removed': 'Person removed from a project',
};

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

interface Names {
  personOf: (userId: string | null) => { name: string };
  orgKeyOf: (keyId: string | null) => string | undefined;
}

/** Who did it, and how. */
export function actorInWords(entry: AuditEntry, { personOf, orgKeyOf }: Names) {
  const { actorKind, actorUserId, keyId } = entry;
  if (actorKind === 'user') {
    return { who: personOf(actorUserId).name, how: keyId ? 'with an API key' : 'in the browser' };
  }
  if (actorKind === 'org-key')
    return { who: orgKeyOf(keyId) ?? 'An organisation key', how: '(v1 organisation key)' };
  return { who: 'Atrium', how: 'automatically' };
}
