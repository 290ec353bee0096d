import { beforeAll, describe, expect, it } from 'vitest';
import type { Room } from '../../../test/harness/stages/agent-stage.ts';
import { createTestOrg } from '../../../test/harness/factories.ts';
import { useAgentStage } from '../../../test/harness/stages/use-stage.ts';
import { holdAnswers } from '../../../test/harness/outside/model-server.ts';

const { stage, ada } = useAgentStage(
  ['ada', 'bob', 'cy', 'dee', 'eve', 'fay'].map((slug) => ({ slug })),
);

const NOTHING = /^I found nothing about this/;

describe('@recall', () => {
  let room: Room;
  let priceId: string;
  let plantId: string;

  beforeAll(async () => {
    room = await stage.openRoom();
    const closed = { name: 'Vault', access: 'MEMBERS' };
    const other = await stage.openRoom({}, stage.org, closed);
    priceId = await room.remember('The enterprise plan costs 49 euros per seat and month.', {
      sourceUrl: 'https://example.com/prices?a=1',
    });
    plantId = await room.remember('Ann waters the ficus in the lobby every second Monday.', {
      visibility: 'PROJECT',
      projectId: room.projectId,
    });
    await other.remember('The ficus in the vault is made of plastic: canary-other-project.', {
      visibility: 'PROJECT',
      projectId: other.projectId,
    });
    const secrets = { visibility: 'PRIVATE' };
    for (const { key } of [stage.org.member, stage.org.owner]) {
      await room.remember('My own ficus is called Bertha: canary-private.', secrets, key);
    }
    const stranger = await createTestOrg(stage.server.db);
    const elsewhere = await stage.openRoom({}, stranger);
    await elsewhere.remember('The ficus of another org: canary-other-org.');
    await room.post('The summer party is on the roof of the old brewery, on 12 July.');
  });

  it("answers from the org's memory, with the source, the date and a citation", async () => {
    const [reply] = await room.ask('@recall what does the enterprise plan cost per seat?');
    expect(reply).toMatchObject({
      authorKind: 'AGENT',
      authorUserId: null,
      agentSlug: 'recall',
      mentions: [],
      status: 'COMPLETED',
      error: null,
      citations: [{ memoryId: priceId }],
      toolCalls: [],
      usage: { inputTokens: 0, outputTokens: 0, credits: 0, latencyMs: expect.any(Number) },
    });
    expect(reply?.body).toContain('> The enterprise plan costs 49 euros per seat and month.');
    expect(reply?.body).toContain(`memory of ${stage.org.owner.email.split('@')[0]}, `);
    expect(reply?.body).toMatch(
      /, \d{4}-\d\d-\d\d \d\d:\d\d UTC · <https:\/\/example\.com\/prices\?a=1>/,
    );
  });

  it("answers from this Project's memory, never from another Project's, another org's or PRIVATE memory", async () => {
    for (const key of [stage.org.member.key, stage.org.owner.key]) {
      const [reply] = await room.ask('@recall who waters the ficus?', { key });
      expect(reply?.citations).toEqual([{ memoryId: plantId }]);
      expect(reply?.body).toContain('Ann waters the ficus');
      expect(reply?.body).not.toContain('canary');
    }
    const [bare] = await room.ask('@recall canary-private Bertha canary-other-project');
    expect(bare?.body).not.toMatch(/> .*(Bertha|plastic)/);
  });

  it('answers from the session, and cites no memory for it', async () => {
    const [reply] = await room.ask('@recall where is the summer party?');
    expect(reply?.body).toContain('> The summer party is on the roof of the old brewery');
    const member = stage.org.member.email.split('@')[0];
    expect(reply?.body).toContain(`— ${member}, in this session, `);
    expect(reply?.citations).toEqual([]);
  });

  it('quotes neither earlier questions nor its own answers', async () => {
    await room.ask('@recall where is the summer party held?');
    const [reply] = await room.ask('@recall where is the summer party held this year?');
    expect(reply?.body.match(/summer party/g)).toHaveLength(1);
  });

  it('says plainly that it found nothing', async () => {
    const [reply] = await room.ask('@recall which lawyer reviewed the lease of the Lisbon office?');
    expect(reply).toMatchObject({ status: 'COMPLETED', citations: [] });
    expect(reply?.body).toMatch(NOTHING);
  });

  it('asks for a question if there is none', async () => {
    const [reply] = await room.ask('@recall');
    expect(reply?.body).toMatch(/^Ask me something/);
  });

  it('quotes the best passage of a long memory', async () => {
    const filler = 'The weather was fine and everybody walked along the river for a while. ';
    await room.remember(
      `${filler.repeat(20)}The boiler room code is kept by Zelda. ${filler.repeat(20)}`,
    );
    const [reply] = await room.ask('@recall who keeps the boiler room code?');
    expect(reply?.body).toContain('The boiler room code is kept by Zelda.');
    expect(reply?.body.length).toBeLessThan(900);
  });
});

describe('a mention', () => {
  it('of a slug in the registry: that model answers', async () => {
    const room = await stage.openRoom();
    const question = await room.post('Hi @Bob, are you there?');
    const [reply] = await room.replies(question.id);
    expect(reply).toMatchObject({
      agentSlug: 'bob',
      authorKind: 'AGENT',
      inReplyToMessageId: question.id,
      parentMessageId: null,
      body: 'Hello.',
      mentions: [],
      usage: { inputTokens: 11, outputTokens: 7, credits: 0 },
    });
    expect(ada.requests.at(-1)?.model).toBe('bob-1');
  });

  it('in a thread: the reply is in the thread, and counted', async () => {
    const room = await stage.openRoom();
    const { id: parentMessageId } = await room.post('Let us talk about plants.');
    const question = await room.post('@ada hello?', { parentMessageId });
    const [reply] = await room.replies(question.id);
    expect(reply).toMatchObject({ parentMessageId, inReplyToMessageId: question.id });
    const parent = (await room.list()).find(({ id }) => id === parentMessageId);
    expect(parent).toMatchObject({ replyCount: 2 });
  });

  it.each([
    ['model, before defaultAgent', { model: 'cy', defaultAgent: 'dee' }, 'cy'],
    ['defaultAgent, before the default', { defaultAgent: 'dee' }, 'dee'],
    ["neither: the server's default", {}, 'ada'],
  ])("@model is the session's %s", async (_case, fields, slug) => {
    const { model, ...session } = fields as { model?: string };
    const room = await stage.openRoom(session);
    if (model) {
      const path = `${room.space}/sessions/${room.sessionId}`;
      const patched = await stage.call('PATCH', path, stage.org.owner, { model });
      expect(patched.status, patched.text).toBe(200);
    }
    const [reply] = await room.ask('@model hello?');
    expect(reply?.agentSlug).toBe(slug);
  });

  it('five distinct ones are answered, once each; more are not', async () => {
    const room = await stage.openRoom();
    const { id } = await room.post('@fay @eve @fay @dee @alice @cy @bob @ada @recall hello?');
    const replies = await room.replies(id, 5);
    await stage.settled();
    expect((await room.list()).length).toBe(6);
    const slugs = new Set(replies.map(({ agentSlug }) => agentSlug));
    expect(slugs).toEqual(new Set(['bob', 'cy', 'dee', 'eve', 'fay']));
  });

  it('@model and the same model by name are two mentions, with a reply each', async () => {
    const room = await stage.openRoom({ defaultAgent: 'bob' });
    const replies = await room.ask('@model @bob hello?', { replies: 2 });
    expect(replies.map(({ agentSlug }) => agentSlug)).toEqual(['bob', 'bob']);
  });

  it('of nobody, in an email address, in code: no reply', async () => {
    const room = await stage.openRoom();
    for (const body of [
      '@alice and @adam, hello?',
      'Write to ada@model.com or x@ada.',
      'Type `@ada` or ``@model``.',
      '```\n@ada\n```',
      '@ ada @-',
    ]) {
      await room.post(body);
    }
    await stage.settled();
    expect(await room.list()).toHaveLength(5);
  });

  it('in a message sent twice with one Idempotency-Key: one reply', async () => {
    const room = await stage.openRoom();
    const path = `${room.space}/sessions/${room.sessionId}/messages`;
    const headers = { 'idempotency-key': 'ask-once' };
    const send = () =>
      stage.call('POST', path, { ...stage.org.member, headers }, { body: '@ada once?' });
    const [first] = await Promise.all([send(), send(), send()]);
    await room.replies(first.json.data.id);
    await stage.settled();
    expect(await room.list()).toHaveLength(2);
  });
});

describe('no loops', () => {
  it('an answer that mentions models starts nothing', async () => {
    ada.answerWith(['@model @recall @bob what do you think?']);
    const room = await stage.openRoom();
    const [reply] = await room.ask('@ada go on');
    ada.answerWith(['Hello.']);
    expect(reply).toMatchObject({ body: '@model @recall @bob what do you think?', mentions: [] });
    await stage.settled();
    expect(await room.list()).toHaveLength(2);
  });

  it('a memory with mentions, quoted by recall, starts nothing', async () => {
    const room = await stage.openRoom();
    await room.remember('The escalation rule: write @model and @ada at once.');
    const [reply] = await room.ask('@recall what is the escalation rule?');
    expect(reply).toMatchObject({ body: expect.stringContaining('@model'), mentions: [] });
    await stage.settled();
    expect(await room.list()).toHaveLength(2);
  });

  it('an edit that adds a mention starts nothing', async () => {
    const room = await stage.openRoom();
    const { id } = await room.post('hello');
    const path = `${room.space}/messages/${id}`;
    const edited = await stage.call('PATCH', path, stage.org.member, { body: '@ada hello?' });
    expect(edited.json.data.mentions).toEqual(['ada']);
    await stage.settled();
    expect(await room.list()).toHaveLength(1);
  });

  it('a question that was deleted before its turn gets no answer', async () => {
    const gate = holdAnswers(ada, 'Late.');
    const room = await stage.openRoom();
    // Four fill the lane of the org, so that the fifth has to wait.
    const asked = [];
    for (let at = 0; at < 5; at++) asked.push(await room.post(`@ada question ${at}`));
    await gate.asked(4);
    const path = `${room.space}/messages/${asked[4]?.id}`;
    expect((await stage.call('DELETE', path, stage.org.member)).status).toBe(204);
    gate.open();
    await stage.settled();
    ada.answerWith(['Hello.']);
    const replies = (await room.list()).filter(({ authorKind }) => authorKind === 'AGENT');
    expect(replies).toHaveLength(4);
    expect(ada.requests).toHaveLength(gate.before + 4);
  });
});

describe('GET /models', () => {
  it('200: the models of the file in order, recall last; the first is the default; no key', async () => {
    const reply = await stage.call('GET', '/api/models', stage.org.member);
    expect(reply.json.data.total).toBe(7);
    expect(reply.json.data.items[0]).toEqual({
      slug: 'ada',
      provider: 'openai',
      model: 'ada-1',
      creditsPer1kTokens: 0,
      creditsPerMillionTokens: { input: 0, output: 0 },
      origin: 'server',
      isDefault: true,
      lastResult: { status: 'COMPLETED', error: null, at: expect.any(String) },
    });
    expect(reply.json.data.items.at(-1)).toEqual({
      slug: 'recall',
      provider: 'builtin',
      model: null,
      creditsPer1kTokens: 0,
      creditsPerMillionTokens: { input: 0, output: 0 },
      origin: 'builtin',
      isDefault: false,
      lastResult: null,
    });
    expect(reply.text).not.toContain('127.0.0.1');
  });
});
