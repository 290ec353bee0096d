import { forget, keep, readKept } from './kept.ts';

/** Who invited this person, until they have been greeted. */
export interface Greeting {
  inviter: string;
}

const nameOf = (orgId: string) => `atrium.greeting.${orgId}`;

/** For the first page after joining. */
export function keepGreeting(orgId: string, inviter: string): void {
  keep(nameOf(orgId), inviter);
}

export function readGreeting(orgId: string): Greeting | undefined {
  const inviter = readKept(nameOf(orgId));
  return inviter === undefined ? undefined : { inviter };
}

export function endGreeting(orgId: string): void {
  forget(nameOf(orgId));
}
