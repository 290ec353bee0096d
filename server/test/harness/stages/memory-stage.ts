import { beforeAll } from 'vitest';
import { dataOf } from '../clients/envelope.ts';
import { addPerson, type Person } from '../factories.ts';
import { useServerWithOrg, useTestOrg } from '../processes/use-test-org.ts';

type Caller = Pick<Person, 'key'>;

/** Two orgs with Projects, for tests about who sees which memory, and calls of the memory API. */
export function useMemoryStage() {
  const { server, call, send, org } = useServerWithOrg();
  const otherOrg = useTestOrg(() => server.db);
  /** In `org`, but not in its Project `closed`. */
  const outsider = {} as Person;
  const projects = {} as {
    /** Everyone in `org` is a member. */
    open: string;
    /** Its members are the owner and the member of `org`. */
    closed: string;
    /** A Project of `otherOrg`. */
    foreign: string;
  };
  /** Returns the Project's id. */
  const createProject = async (person: Person, body: object): Promise<string> =>
    (await send('POST', '/api/projects', person, body)).id;
  beforeAll(async () => {
    Object.assign(outsider, await addPerson(server.db, org.orgId, 'MEMBER'));
    projects.open = await createProject(org.owner, { name: 'Open' });
    projects.closed = await createProject(org.owner, { name: 'Closed', access: 'MEMBERS' });
    projects.foreign = await createProject(otherOrg.owner, { name: 'Foreign' });
    await send('PUT', `/api/projects/${projects.closed}/members/${org.member.userId}`, org.owner);
  });
  return {
    server,
    call,
    org,
    otherOrg,
    outsider,
    projects,
    createProject,
    // By the member, unless another person is given.
    create: async (body: object, by: Caller = org.member) => {
      const complete = { visibility: 'ORG', content: 'A note.', ...body };
      return dataOf(await call('POST', '/api/memory', by, complete), 201);
    },
    list: async (query = '', by: Caller = org.member) =>
      dataOf(await call('GET', `/api/memory${query}`, by), 200),
    read: (id: string, by: Caller = org.member) => call('GET', `/api/memory/${id}`, by),
    change: (id: string, body: object, by: Caller = org.member) =>
      call('PATCH', `/api/memory/${id}`, by, body),
    remove: (id: string, by: Caller = org.member) => call('DELETE', `/api/memory/${id}`, by),
  };
}
