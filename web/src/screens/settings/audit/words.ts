import type { AuditEntry } from '@atrium/sdk';

/** Actions are stable codes for programs, such as `org_key.rotated`. People get a sentence. */

const THINGS: Record<string, string> = {
  key: 'API key',
  org_key: 'Organisation key',
  mcp_server: 'Integration',
  billing: 'Payment',
};

const SPECIAL: Record<string, string> = {
  'billing.checkout_opened': 'Payment page opened',
  'member.exported': 'Own data exported',
  'member.joined': 'Joined the organisation',
  'member.role_changed': 'Role changed',
  'mcp_server.bound': 'Integration’s projects changed',
  'mcp_server.created': 'Integration added',
  'org.exported': 'Organisation exported',
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

/** Whether the text contains every word of the query, ignoring case. */
export function matches(text: string, query: string): boolean {
  const small = text.toLocaleLowerCase();
  return query
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => small.includes(word));
}
