import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startAgentStage, type Room } from '../../../test/harness/stages/agent-stage.ts';
import { dataOf, expectInvalid } from '../../../test/harness/clients/envelope.ts';
import { speakMcp, words } from '../../../test/harness/outside/mcp-upstream.ts';
import { useAgentStage, useMcpUpstream, useModel } from '../../../test/harness/stages/use-stage.ts';

const { upstream, mayCallIt, registration } = useMcpUpstream();
const bob = useModel();
const models = [{ slug: 'ada' }, { slug: 'bob', server: bob }];
const { stage, ada } = useAgentStage(models, mayCallIt);
let room: Room;
let slugs = 0;

beforeAll(async () => {
  upstream.answerWith(speakMcp([{ name: 'find', run: () => words('Found it.') }]));
  room = await stage.openRoom();
});
beforeEach(() => {
  for (const model of [ada, bob]) {
    model.requests.length = 0;
    model.answerWith(['Hello.']);
  }
});

async function send(method: string, path: string, body?: object) {
  return dataOf(await stage.call(method, path, stage.org.owner, body));
}
const define = (fields: object = {}): Promise<{ id: string; slug: string }> =>
  send('POST', '/api/agents', { slug: `agent-${++slugs}`, name: 'Agent', ...fields });
const change = (id: string, fields: object) => send('PATCH', `/api/agents/${id}`, fields);
const register = (mentionSlug: string) =>
  send('POST', '/api/mcp/servers', registration(mentionSlug));
const askOne = async (body: string, place = room) => (await place.ask(body))[0];

describe('a mention of an agent', () => {
  it('is answered under its own name, with its instructions and its model', async () => {
    const { slug } = await define({ model: 'bob', instructions: 'Speak like a <pirate>.' });
    bob.answerWith(['Arr.']);
    expect(await askOne(`@${slug} who are you?`)).toMatchObject({
      agentSlug: slug,
      body: 'Arr.',
      status: 'COMPLETED',
    });
    const [request] = bob.requests;
    expect(request?.instructions).toContain(`You are "${slug}"`);
    expect(request?.instructions).toMatch(/Speak like a <pirate>\.$/);
    expect(request?.tools).toEqual([]);
    expect(ada.requests).toHaveLength(0);
  });

  it("without a model of its own: the server's default, not the session's", async () => {
    const { slug } = await define();
    const place = await stage.openRoom({ defaultAgent: 'bob' });
    await askOne(`@${slug} hello`, place);
    expect([ada.requests.length, bob.requests.length]).toEqual([1, 0]);
  });

  it("uses the tools of its MCP servers, but not of those that don't serve the Project", async () => {
    const [wiki, other] = [await register('wiki'), await register('other')];
    const elsewhere = await stage.openRoom();
    await send('PUT', `/api/mcp/servers/${other.id}/projects`, {
      projectIds: [elsewhere.projectId],
    });
    const { slug } = await define({ mcpServerIds: [wiki.id, other.id] });
    ada.answerWith([{ toolCalls: [{ name: 'find', input: { q: 'x' } }] }, 'Here.']);
    const reply = await askOne(`@${slug} find it`);
    expect(reply).toMatchObject({
      body: 'Here.',
      toolCalls: [{ server: 'wiki', name: 'find', result: 'Found it.' }],
    });
    expect(ada.requests[0]?.tools).toEqual(['find']);
    ada.requests.length = 0;
    ada.answerWith(['Hello.']);
    await askOne(`@${slug} find it`, elsewhere);
    expect(ada.requests[0]?.tools).toEqual(['find', 'find_2']);
  });

  it('usage names the model, and the reply the agent', async () => {
    const { slug } = await define({ model: 'bob' });
    const reply = await askOne(`@${slug} hello`);
    const [row] = await stage.server.db.query<{ model: string }>(
      'SELECT model FROM model_usage WHERE org_id = $1 AND message_id = $2',
      [stage.org.orgId, reply?.id],
    );
    expect(row?.model).toBe('bob');
  });

  it('answers nobody: disabled, archived, or of another Project', async () => {
    const elsewhere = await stage.openRoom();
    const off = await define({ isEnabled: false });
    const bound = await define({ projectIds: [elsewhere.projectId] });
    const gone = await define();
    await stage.call('DELETE', `/api/agents/${gone.id}`, stage.org.owner);
    const body = `@${off.slug} @${bound.slug} @${gone.slug}- hello`;
    const message = await room.post(body);
    expect(message.pendingReplies).toEqual([]);
    expect((await elsewhere.post(body)).pendingReplies).toMatchObject([{ mention: bound.slug }]);
    await stage.settled();
    expect(ada.requests).toHaveLength(1);
  });

  it('that was archived and restored answers as before; restored again, nothing changes', async () => {
    const definition = { instructions: 'Be brief.', model: 'bob' };
    const { id, slug } = await define(definition);
    const path = `/api/agents/${id}`;
    const before = await send('GET', path);
    await stage.call('DELETE', path, stage.org.owner);
    expect((await room.post(`@${slug} hello`)).pendingReplies).toEqual([]);
    const restored = await send('POST', `${path}/restore`);
    expect(restored).toEqual({ ...before, updatedAt: expect.any(String) });
    expect(restored.updatedAt > before.updatedAt).toBe(true);
    expect(await send('POST', `${path}/restore`)).toEqual(restored);
    expect(await send('GET', path)).toEqual(restored);
    expect(await askOne(`@${slug} hello`)).toMatchObject({ agentSlug: slug, status: 'COMPLETED' });
    expect(bob.requests.at(-1)?.instructions).toMatch(/Be brief\.$/);
    const { items } = await send('GET', `/api/org/${stage.org.orgId}/audit?resourceId=${id}`);
    const actions = items.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(['agent.restored', 'agent.archived', 'agent.created']);
  });

  it.each([
    ['archived', /was archived/, (id: string) => stage.call('DELETE', `/api/agents/${id}`, stage.org.owner)], // prettier-ignore
    ['disabled', /is disabled/, (id: string) => change(id, { isEnabled: false })],
    ['bound elsewhere', /not answer in this Project/, (id: string) => bindElsewhere(id)],
  ])('between post and run %s: FAILED agent_unavailable', async (_name, words, apply) => {
    const { id, slug } = await define();
    // The organisation answers four questions at a time, so the fifth waits.
    const gate = Promise.withResolvers<void>();
    ada.answerWith(async () => {
      await gate.promise;
      return 'Done.';
    });
    for (let busy = 0; busy < 4; busy++) await room.post('@ada wait');
    await ada.received(4);
    const question = await room.post(`@${slug} hello`);
    expect(question.pendingReplies).toHaveLength(1);
    await apply(id);
    gate.resolve();
    const [reply] = await room.replies(question.id);
    expect(reply).toMatchObject({
      agentSlug: slug,
      status: 'FAILED',
      error: { code: 'agent_unavailable', message: expect.stringMatching(words) },
    });
    expect(reply?.body).toMatch(words);
    await stage.settled();
  });

  async function bindElsewhere(id: string) {
    const { projectId } = await stage.openRoom();
    await change(id, { projectIds: [projectId] });
  }

  it('FAILED no_model: only recall is there to answer for it', async () => {
    const bare = await startAgentStage();
    onTestFinished(() => bare.stop());
    const place = await bare.openRoom();
    const body = { slug: 'helper', name: 'Helper' };
    await bare.call('POST', '/api/agents', bare.org.owner, body);
    const [reply] = await place.ask('@helper hello');
    expect(reply).toMatchObject({ agentSlug: 'helper', error: { code: 'no_model' } });
  });
});

describe('a session', () => {
  it('can have an agent as its default, which answers @model and uses mentioned tools', async () => {
    const { slug } = await define({ model: 'bob', instructions: 'Be brief.' });
    const place = await stage.openRoom({ defaultAgent: slug });
    expect(await askOne('@model hello', place)).toMatchObject({ agentSlug: slug });
    await register('tracker');
    expect(await askOne('@tracker hello', place)).toMatchObject({ agentSlug: slug });
    expect(bob.requests.map(({ tools }) => tools)).toEqual([[], ['find']]);
    expect(bob.requests[1]?.instructions).toContain('Be brief.');
  });

  it('400: an agent that is disabled or does not answer in the Project', async () => {
    const elsewhere = await stage.openRoom();
    const off = await define({ isEnabled: false });
    const bound = await define({ projectIds: [elsewhere.projectId] });
    const { key } = stage.org.member;
    const path = `${room.space}/sessions`;
    for (const { slug } of [off, bound]) {
      const body = { name: 'Talk', defaultAgent: slug };
      expectInvalid(await stage.call('POST', path, { key, body }));
      const patched = { key, body: { model: slug } };
      expectInvalid(await stage.call('PATCH', `${path}/${room.sessionId}`, patched));
    }
    const patched = { key, body: { model: bound.slug } };
    const there = `${elsewhere.space}/sessions/${elsewhere.sessionId}`;
    expect((await stage.call('PATCH', there, patched)).status).toBe(200);
  });
});
