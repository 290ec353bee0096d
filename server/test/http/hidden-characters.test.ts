import { beforeAll, describe, expect, it } from 'vitest';
import { browserWith, signIn } from '../harness/clients/browser.ts';
import type { Reply } from '../harness/clients/client.ts';
import { expectInvalid, problemsOf } from '../harness/clients/envelope.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import { useTestServer } from '../harness/processes/use-test-server.ts';

const HIDDEN = ['Ada\u202e', 'A\u200bda'];
const FINE = ['Zoë 👨‍👩‍👧‍👦', 'می\u200cخواهم'];

const server = useTestServer();
let org: TestOrg;
let project: { id: string; slug: string };
let session: { id: string };

beforeAll(async () => {
  org = await createTestOrg(server.db);
  project = (await send('POST', '/projects', { name: 'Plans' })).json.data;
  session = (await send('POST', `/spaces/${project.slug}/sessions`, { name: 'Talk' })).json.data;
});

const send = (method: string, path: string, body: object): Promise<Reply> =>
  server.call(method, `/api${path}`, { key: org.owner.key, body });

/** Every field that people recognise something by. */
const FIELDS: Record<string, (name: string) => Promise<Reply>> = {
  'the name of a person': (name) => send('PATCH', '/me', { name }),
  'the name of an org': (name) => send('PATCH', `/org/${org.orgId}`, { name }),
  'the name of a new org': (name) => send('POST', '/orgs', { name }),
  'the name of a Project': (name) => send('POST', '/projects', { name }),
  'a tag of a Project': (tag) => send('PATCH', `/projects/${project.id}`, { tags: [tag] }),
  'the name of a session': (name) => send('POST', `/spaces/${project.slug}/sessions`, { name }),
  'the title of a session': (title) =>
    send('PATCH', `/spaces/${project.slug}/sessions/${session.id}`, { title }),
  'the title of a task': (title) => send('POST', `/projects/${project.id}/tasks`, { title }),
  'a label of a task': (label) =>
    send('POST', `/projects/${project.id}/tasks`, { title: 'Task', labels: [label] }),
  'the name of an agent': (name) => send('POST', '/agents', { slug: 'a', name }),
  'the name of a key': (name) => send('POST', '/keys', { name, scopes: ['org:read'] }),
  'the name of an MCP server': (displayName) =>
    send('POST', '/mcp/servers', {
      displayName,
      mentionSlug: 'tools',
      endpointUrl: 'https://93.184.216.34/mcp',
      authType: 'NONE',
    }),
  'a tag of a memory': (tag) =>
    send('POST', '/memory', { content: 'x', visibility: 'ORG', tags: [tag] }),
};

describe.each(Object.keys(FIELDS))('%s', (field) => {
  it('400 hidden_character: never hides a character, or turns text around', async () => {
    for (const name of HIDDEN) {
      const [problem] = expectInvalid((await FIELDS[field]?.(name)) as Reply);
      expect(problem?.code).toBe('hidden_character');
      expect(problem?.message).toMatch(/^must not contain the invisible character U\+20/);
    }
  });
});

it('400: a name that is too long and hides a character has one error', async () => {
  const name = `${'x'.repeat(120)}\u202e`;
  expect(problemsOf(await send('PATCH', '/me', { name }))).toEqual(['body.name too_long']);
});

it.each(FINE)('emoji and languages keep what they need: %s', async (name) => {
  expect((await send('PATCH', '/me', { name })).json.data.name).toBe(name);
});

it('200: a name from before this rule stays, and other fields can be changed', async () => {
  const name = 'Old\u202e';
  await server.db.query('UPDATE projects SET name = $2 WHERE id = $1', [project.id, name]);
  const reply = await send('PATCH', `/projects/${project.id}`, { description: 'New' });
  expect([reply.status, reply.json.data.name]).toEqual([200, name]);
});

it('200: bodies and contents are stored as they are', async () => {
  const body = 'a\u200bb \u202e';
  const path = `/spaces/${project.slug}/sessions/${session.id}/messages`;
  expect((await send('POST', path, { body })).json.data.body).toBe(body);
});

it('400: the browser’s own form, too', async () => {
  const browser = await signIn(server, org.member.email);
  const reply = await browser.call('PATCH', '/web/profile', { body: { name: 'A\u200bda' } });
  expect(problemsOf(reply)).toEqual(['body.name hidden_character']);
  const body = { token: 'x', name: 'A\u200bda' };
  const signedUp = await browserWith(server).call('POST', '/web/sign-up', { body });
  expect(problemsOf(signedUp)).toEqual(['body.name hidden_character']);
});
