import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Room } from '../../../test/harness/stages/agent-stage.ts';
import { addPerson } from '../../../test/harness/factories.ts';
import { speakMcp, words } from '../../../test/harness/outside/mcp-upstream.ts';
import { useAgentStage, useMcpUpstream } from '../../../test/harness/stages/use-stage.ts';
import { dataOf } from '../../../test/harness/clients/envelope.ts';
import { holdAnswers } from '../../../test/harness/outside/model-server.ts';

/** Jobs of one org that run at once. */
const LANE_WIDTH = 4;
const USE_TOOL = { toolCalls: [{ name: 'find', input: { q: 'x' } }] };

const { upstream, mayCallIt, registration } = useMcpUpstream();
const { stage, ada } = useAgentStage([{ slug: 'ada' }], mayCallIt);
let toolCalls = 0;

beforeAll(async () => {
  const run = () => {
    toolCalls++;
    return words('Found it.');
  };
  upstream.answerWith(speakMcp([{ name: 'find', run }]));
  await send('POST', '/api/mcp/servers', registration());
});
beforeEach(() => {
  toolCalls = 0;
});

async function send(method: string, path: string, body?: object) {
  return dataOf(await stage.call(method, path, stage.org.owner, body));
}

/** A member who takes part in a private session of a closed Project. */
async function openTo() {
  const person = await addPerson(stage.server.db, stage.org.orgId, 'MEMBER');
  const room = await stage.openRoom({}, stage.org, { access: 'MEMBERS' });
  await send('PUT', `/api/projects/${room.projectId}/members/${person.userId}`);
  const body = { name: 'Private', access: 'PARTICIPANTS', participantUserIds: [person.userId] };
  const { id } = await send('POST', `${room.space}/sessions`, body);
  return { ...person, room, privateId: id as string };
}
type Asker = Awaited<ReturnType<typeof openTo>>;

async function ask({ room, key, privateId }: Asker): Promise<string> {
  const path = `${room.space}/sessions/${privateId}/messages`;
  const body = { body: '@wiki find it' };
  return (await stage.call('POST', path, { key, body })).json.data.id;
}

async function replyTo({ room, privateId }: Asker, questionId: string) {
  await stage.settled();
  const { items } = await send('GET', `${room.space}/sessions/${privateId}/messages`);
  return items.find(
    (item: { inReplyToMessageId: string }) => item.inReplyToMessageId === questionId,
  );
}

/** Has a run wait in the middle of its first step, which then calls a tool. */
function holdFirstStep() {
  const gate = Promise.withResolvers<void>();
  const before = ada.requests.length;
  ada.answerWith(async (_, index) => {
    if (index > before) return 'Answered.';
    await gate.promise;
    return USE_TOOL;
  });
  return { asked: ada.received(before + 1), open: () => gate.resolve(), before };
}

const DEPARTURES: [string, (asker: Asker) => Promise<unknown>][] = [
  [
    'the organisation',
    ({ userId }) => send('DELETE', `/api/org/${stage.org.orgId}/members/${userId}`),
  ],
  [
    'the Project',
    ({ room, userId }) => send('DELETE', `/api/projects/${room.projectId}/members/${userId}`),
  ],
  [
    'a private session',
    ({ room, privateId }) =>
      send('PATCH', `${room.space}/sessions/${privateId}`, {
        participantUserIds: [stage.org.owner.userId],
      }),
  ],
];

describe('tools are not called for somebody who asked and has left', () => {
  it('while nobody leaves, they are', async () => {
    const asker = await openTo();
    const step = holdFirstStep();
    const id = await ask(asker);
    await step.asked;
    step.open();
    expect(await replyTo(asker, id)).toMatchObject({ status: 'COMPLETED', body: 'Answered.' });
    expect(toolCalls).toBe(1);
  });

  it.each(DEPARTURES)('%s, between two steps', async (_what, leave) => {
    const asker = await openTo();
    const step = holdFirstStep();
    const id = await ask(asker);
    await step.asked;
    await leave(asker);
    step.open();
    const reply = await replyTo(asker, id);
    expect(reply).toMatchObject({ status: 'FAILED', error: { code: 'asker_gone' }, toolCalls: [] });
    expect(toolCalls).toBe(0);
    expect(ada.requests).toHaveLength(step.before + 1);
  });

  it.each(DEPARTURES)('%s, before the run', async (_what, leave) => {
    const asker = await openTo();
    const elsewhere: Room = await stage.openRoom();
    const gate = holdAnswers(ada, 'Filler.');
    for (let at = 0; at < LANE_WIDTH; at++) await elsewhere.post('@ada filler');
    await gate.asked(LANE_WIDTH);
    const greeted = upstream.requests.length;
    const id = await ask(asker);
    await leave(asker);
    gate.open();
    const reply = await replyTo(asker, id);
    expect(reply).toMatchObject({ status: 'FAILED', error: { code: 'asker_gone' } });
    expect(ada.requests).toHaveLength(gate.before + LANE_WIDTH);
    expect(upstream.requests).toHaveLength(greeted);
  });
});
