import { describe, expect, it } from 'vitest';
import { expectError, problemsOf } from '../../../../test/harness/clients/envelope.ts';
import { openEventsOf } from '../../../../test/harness/clients/event-stream.ts';
import { addPerson, type Person } from '../../../../test/harness/factories.ts';
import { useServerWithNewOrgs } from '../../../../test/harness/processes/use-test-org.ts';
import { randomFrom } from '../../../../test/harness/random.ts';

const { server, call, send, org } = useServerWithNewOrgs();

const VIEWS = '/api/task-views';
const save = (by: Person, body: object) => send('POST', VIEWS, by, body);
const views = async (of: Person) => (await send('GET', VIEWS, of)).items;
const namesOf = async (of: Person): Promise<string[]> =>
  (await views(of)).map(({ name }: { name: string }) => name);

async function makeProject(members: Person[] = []) {
  const body = { name: `Room ${Math.random()}`, access: 'MEMBERS' };
  const { id } = await send('POST', '/api/projects', org.owner, body);
  const membership = ({ userId }: Person) => `/api/projects/${id}/members/${userId}`;
  const join = (person: Person) => call('PUT', membership(person), org.owner);
  const leave = (person: Person) => call('DELETE', membership(person), org.owner);
  for (const person of members) await join(person);
  return { id, join, leave };
}

describe('POST /task-views', () => {
  it('201: of all Projects or of one; listed for me alone, in my order, and my pages are told', async () => {
    const project = await makeProject([org.member]);
    const events = await openEventsOf(server, org.member, org);
    const filters = {
      status: ['TODO'],
      assignee: ['me', '@recall', 'none'],
      priority: ['HIGH'],
      run: ['FAILED'],
      label: 'money',
      due: 'WEEK',
      query: 'price',
    };
    const shown = { layout: 'BOARD', filters, sort: 'dueOn', groupBy: 'ASSIGNEE' };
    const one = await save(org.member, { name: ' Mine ', projectId: project.id, ...shown });
    await events.next('kept.changed');
    events.close();
    expect(one).toMatchObject({ name: 'Mine', projectId: project.id, ...shown });
    const two = await save(org.member, { name: 'All', afterViewId: null });
    expect(two).toMatchObject({
      projectId: null,
      layout: 'LIST',
      filters: {},
      sort: 'rank',
      groupBy: 'NONE',
    });
    expect(await views(org.member)).toEqual([two, one]);
    expect(await views(org.owner)).toEqual([]);
  });

  it('400: filters that no list has, a board of all Projects, a place that is not mine', async () => {
    const theirs = await save(org.owner, { name: 'Theirs' });
    const bad = { name: '', filters: { status: ['LATER'], size: 1 }, sort: 'age' };
    expect(problemsOf(await call('POST', VIEWS, org.member, bad)).toSorted()).toEqual([
      'body.filters.size unknown_field',
      'body.filters.status[0] invalid_value',
      'body.name required',
      'body.sort invalid_value',
    ]);
    for (const [body, problem] of [
      [{ name: 'v', layout: 'BOARD' }, 'body.layout invalid_value'],
      [{ name: 'v', afterViewId: theirs.id }, 'body.afterViewId invalid_value'],
    ] as const) {
      expect(problemsOf(await call('POST', VIEWS, org.member, body))).toEqual([problem]);
    }
    expect(await views(org.member)).toEqual([]);
  });

  it('403, 404: of a Project that I do not belong to, or that there is not', async () => {
    const { id } = await makeProject();
    const reply = await call('POST', VIEWS, org.member, { name: 'v', projectId: id });
    expectError(reply, 'FORBIDDEN');
    const unknown = { name: 'v', projectId: 'nothing' };
    expectError(await call('POST', VIEWS, org.member, unknown), 'NOT_FOUND');
  });

  it('409: more than 50', async () => {
    await server.db.query(
      `INSERT INTO task_views (org_id, id, user_id, name, layout, filters, sort, group_by, position)
       SELECT $1, 'v' || n, $2, 'v', 'LIST', '{}', 'rank', 'NONE', n FROM generate_series(1, 50) n`,
      [org.orgId, org.member.userId],
    );
    const reply = await call('POST', VIEWS, org.member, { name: 'v' });
    expect(expectError(reply, 'CONFLICT')).toMatchObject({
      reason: 'limit_reached',
      limit: 'task_views_per_person',
    });
  });
});

describe('PATCH and DELETE /task-views/{id}', () => {
  it('200, 204: another name, other filters, another place; gone', async () => {
    const ids: Record<string, string> = {};
    for (const name of ['a', 'b', 'c']) ids[name] = (await save(org.member, { name })).id;
    const path = (name: string) => `${VIEWS}/${ids[name]}`;
    const changes = { name: 'd', filters: { label: 'x' }, sort: 'updatedAt', groupBy: 'STATUS' };
    expect(await send('PATCH', path('c'), org.member, changes)).toMatchObject(changes);
    await send('PATCH', path('c'), org.member, { afterViewId: ids['a'] });
    expect(await namesOf(org.member)).toEqual(['a', 'd', 'b']);
    expect((await call('DELETE', path('a'), org.member)).status).toBe(204);
    expect(await namesOf(org.member)).toEqual(['d', 'b']);
    expectError(await call('DELETE', path('a'), org.member), 'NOT_FOUND');
  });

  it('404: of somebody else', async () => {
    const { id } = await save(org.owner, { name: 'Theirs' });
    expectError(await call('PATCH', `${VIEWS}/${id}`, org.member, { name: 'Mine' }), 'NOT_FOUND');
    expectError(await call('DELETE', `${VIEWS}/${id}`, org.member), 'NOT_FOUND');
  });
});

/** A person's views in plain arrays. */
interface Naive {
  id: string;
  name: string;
  projectId: string | null;
}

it('lists are what a naive model says, whatever people save, move, leave and join', async () => {
  const random = randomFrom(79);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const people = [org.member, await addPerson(server.db, org.orgId, 'MEMBER')];
  const projects = [await makeProject(people), await makeProject(people)];
  const lists = new Map<Person, Naive[]>(people.map((person) => [person, []]));
  const absent = new Set<string>();
  const sees = (person: Person, { projectId }: Pick<Naive, 'projectId'>) =>
    !absent.has(`${person.userId} ${projectId}`);
  const put = (list: Naive[], view: Naive, after: string | null | undefined) => {
    const others = list.filter(({ id }) => id !== view.id);
    const at = others.findIndex(({ id }) => id === after) + 1;
    return others.toSpliced(after === undefined ? others.length : at, 0, view);
  };
  for (let step = 0; step < 40; step++) {
    const person = pick(people);
    const list = lists.get(person) ?? [];
    const view = list.length > 0 ? pick(list) : undefined;
    const after = pick([
      undefined,
      null,
      ...list.filter((one) => one !== view).map(({ id }) => id),
    ]);
    const isPlace = !after || list.some((one) => one.id === after && sees(person, one));
    const place = after === undefined ? {} : { afterViewId: after };
    const action = random();
    if (action < 0.2) {
      const project = pick(projects);
      const key = `${person.userId} ${project.id}`;
      await (absent.has(key) ? project.join(person) : project.leave(person));
      if (!absent.delete(key)) absent.add(key);
    } else if (!view || action < 0.55) {
      const projectId = pick([null, ...projects.map(({ id }) => id)]);
      const made = { name: `v${step}`, projectId };
      const reply = await call('POST', VIEWS, person, { ...made, ...place });
      const status = sees(person, made) ? (isPlace ? 201 : 400) : 403;
      expect(reply.status, reply.text).toBe(status);
      if (status === 201) {
        lists.set(person, put(list, { ...made, id: reply.json.data.id }, after));
      }
    } else if (action < 0.9) {
      const by = pick([person, person, ...people]);
      const reply = await call('PATCH', `${VIEWS}/${view.id}`, by, place);
      const isOwn = by === person && sees(person, view);
      expect(reply.status, reply.text).toBe(isOwn ? (isPlace ? 200 : 400) : 404);
      if (reply.status === 200 && after !== undefined) lists.set(person, put(list, view, after));
    } else {
      const reply = await call('DELETE', `${VIEWS}/${view.id}`, person);
      expect(reply.status).toBe(sees(person, view) ? 204 : 404);
      if (reply.status === 204)
        lists.set(
          person,
          list.filter((one) => one !== view),
        );
    }
    for (const one of people) {
      const visible = (lists.get(one) ?? []).filter((each) => sees(one, each));
      expect(await namesOf(one)).toEqual(visible.map(({ name }) => name));
    }
  }
});
