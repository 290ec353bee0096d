import { createMember, createOrg } from '../server/src/features/identity/service.ts';
import { clientOf } from './reply-viewer.ts';
import { makeKey, type Stage } from './stage.ts';

/** Somebody at work, with the sessions of their organisation. */
export interface Colleague {
  key: string;
  slug: string;
  sessionIds: string[];
}

const SESSIONS = 5;

/** Organisations of equal size, each with a Project. */
export async function hireTeams(
  { db }: Stage,
  origin: string,
  { people, orgs }: { people: number; orgs: number },
): Promise<Colleague[]> {
  const colleagues: Colleague[] = [];
  for (let nth = 0; nth < orgs; nth++) {
    const ownerEmail = `owner${nth}@example.com`;
    const { orgId, owner } = await createOrg(db, { name: `Team ${nth}`, ownerEmail });
    const key = await makeKey(db, orgId, owner.id);
    const client = clientOf({ origin, key });
    const { slug } = await client.projects.create({ name: 'Work' });
    const sessionIds: string[] = [];
    for (let at = 0; at < SESSIONS; at++) {
      sessionIds.push((await client.sessions.create(slug, { name: `Topic ${at}` })).id);
    }
    colleagues.push({ key, slug, sessionIds });
    for (let at = 1; at < people / orgs; at++) {
      const email = `person${nth}.${at}@example.com`;
      const member = await createMember(db, orgId, { email, role: 'MEMBER' });
      if (!member) throw new Error(`${email} is a member already`);
      colleagues.push({ key: await makeKey(db, orgId, member.id), slug, sessionIds });
    }
  }
  return colleagues;
}
