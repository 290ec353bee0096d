import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  startAgentStage,
  until,
  type AgentStage,
  type Room,
} from '../harness/stages/agent-stage.ts';
import type { ModelServer } from '../harness/outside/model-server.ts';
import { startOpenAiChatServer } from '../harness/outside/openai-chat-server.ts';

let ada: ModelServer;
let stage: AgentStage;
let room: Room;

beforeAll(async () => {
  ada = await startOpenAiChatServer();
  stage = await startAgentStage([{ slug: 'ada', server: ada }]);
});
beforeEach(async () => {
  room = await stage.openRoom();
});
afterAll(async () => {
  await stage.stop();
  await ada.close();
});

function sending(path: string, key = stage.org.member.key) {
  const headers = { 'idempotency-key': randomUUID() };
  return () => stage.call('POST', `${room.space}/messages/${path}`, { key, headers });
}

const change = (method: string, messageId: string, key: string, body?: object) =>
  stage.call(method, `${room.space}/messages/${messageId}`, { key, body });

it('a retry is replayed when the reply has its new result, and not once it was deleted', async () => {
  ada.answerWith([{ status: 400 }]);
  const [failed] = await room.ask('@ada what now?');
  const messageId = failed?.id ?? '';
  ada.answerWith(['Now it works.']);
  const retry = sending(`${messageId}/retry`);
  const first = await retry();
  expect(first.status).toBe(200);
  const isLanded = async () => (await room.list()).some(({ body }) => body === 'Now it works.');
  await until(isLanded);
  expect((await retry()).text).toBe(first.text);
  await stage.settled();
  await change('DELETE', messageId, stage.org.owner.key);
  const again = await retry();
  expect(again.status).toBe(409);
  expect(again.json.error.details.reason).toBe('idempotency_response_dropped');
});

it("a stop by an OWNER no longer shows somebody's question after they have edited it", async () => {
  const gate = Promise.withResolvers<void>();
  ada.answerWith(async () => {
    await gate.promise;
    return 'Late.';
  });
  const question = await room.post('@ada my secret');
  const stop = sending(`${question.id}/replies/ada/stop`, stage.org.owner.key);
  const first = await stop();
  expect(first.status).toBe(200);
  expect((await stop()).text).toBe(first.text);
  gate.resolve();
  await stage.settled();
  await change('PATCH', question.id, stage.org.member.key, { body: 'Never mind.' });
  const again = await stop();
  expect(again.status).toBe(409);
  expect(again.text).not.toContain('my secret');
});
