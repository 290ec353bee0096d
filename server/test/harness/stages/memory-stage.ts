import type { Call } from '../clients/client.ts';
import { dataOf } from '../clients/envelope.ts';
import { addPerson, createTestOrg, type Person, type TestOrg } from '../factories.ts';
import type { TestServer } from '../processes/server.ts';

/** Two orgs with Projects, for tests about who sees which memory. */
export interface MemoryStage {
  org: TestOrg;
  otherOrg: TestOrg;
  /** In `org`, but not in its Project `closed`. */
  outsider: Person;
  /** Everyone in `org` is a member. */
  open: string;
  /** Its members are the owner and the member of `org`. */
  closed: string;
  /** A Project of `otherOrg`. */
  foreign: string;
  /** Returns the Project's id. */
  createProject: (key: string, body: object) => Promise<string>;
}

export async function createMemoryStage(db: TestServer['db'], call: Call): Promise<MemoryStage> {
  const org = await createTestOrg(db);
  const otherOrg = await createTestOrg(db);
  const outsider = await addPerson(db, org.orgId, 'MEMBER');
  const createProject = async (key: string, body: object): Promise<string> =>
    (await call('POST', '/api/projects', { key, body })).json.data.id;
  const open = await createProject(org.owner.key, { name: 'Open' });
  const closed = await createProject(org.owner.key, { name: 'Closed', access: 'MEMBERS' });
  const foreign = await createProject(otherOrg.owner.key, { name: 'Foreign' });
  await call('PUT', `/api/projects/${closed}/members/${org.member.userId}`, { key: org.owner.key });
  return { org, otherOrg, outsider, open, closed, foreign, createProject };
}

/** Calls of the memory API, with this key unless another one is given. */
export function memoryCalls(call: Call, ownKey: () => string) {
  return {
    create: async (body: object, key = ownKey()) => {
      const complete = { visibility: 'ORG', content: 'A note.', ...body };
      return dataOf(await call('POST', '/api/memory', { key, body: complete }), 201);
    },
    list: async (query = '', key = ownKey()) =>
      dataOf(await call('GET', `/api/memory${query}`, { key }), 200),
    read: (id: string, key = ownKey()) => call('GET', `/api/memory/${id}`, { key }),
    change: (id: string, body: object, key = ownKey()) =>
      call('PATCH', `/api/memory/${id}`, { key, body }),
    remove: (id: string, key = ownKey()) => call('DELETE', `/api/memory/${id}`, { key }),
  };
}
