import { expect } from 'vitest';
import { addConnection, addMapping } from '../harness/channels.ts';
import { dataOf } from '../harness/clients/envelope.ts';
import type { ModelServer } from '../harness/outside/model-server.ts';
import { until, type AgentStage, type ShownMessage } from '../harness/stages/agent-stage.ts';
import {
  agentReads,
  messagesOf,
  readsFile,
  readsSession,
  type File,
  type Session,
  type World,
} from './file-world.ts';

interface Agents {
  stage: AgentStage;
  ada: ModelServer;
}

type ToolCall = { name: string; arguments: { fileId?: string }; isError: boolean };
const QUESTION = 'What is the code of the zebra report?';
/** A reply has at most eight calls. */
const READ_AT_ONCE = 7;

/** Somebody who reads the session asks. Returns the reply. */
async function ask(
  { call }: AgentStage,
  world: World,
  session: Session,
  body: string,
): Promise<ShownMessage> {
  const asker = world.people.find((one) => readsSession(one, session));
  const { id } = dataOf(await call('POST', messagesOf(session), asker, { body }), 201);
  let reply: ShownMessage | undefined;
  await until(async () => {
    const { items } = dataOf(await call('GET', messagesOf(session), asker));
    reply = items.find((one: ShownMessage) => one.inReplyToMessageId === id);
    return reply !== undefined;
  });
  expect(reply?.status, JSON.stringify(reply)).toBe('COMPLETED');
  return reply as ShownMessage;
}

function expectNoneOf(text: string, files: readonly File[], about: string): void {
  for (const { name, code } of files) {
    expect(text, about).not.toContain(name);
    expect(text, about).not.toContain(code);
  }
}

const nameOf = ({ id, project }: Session) => `session ${id} in ${project.slug}`;

async function compareTools(
  { stage, ada }: Agents,
  world: World,
  session: Session,
  mayRead: (file: File) => boolean,
): Promise<void> {
  const allowed = world.files.filter(mayRead);
  const others = world.files.filter((file) => !mayRead(file));
  const read = [...allowed.slice(0, 2), ...others].slice(0, READ_AT_ONCE);
  const calls = [
    { name: 'search_documents', input: { query: QUESTION, limit: 20 } },
    ...read.map(({ id }) => ({ name: 'read_document', input: { fileId: id, pages: [1] } })),
  ];
  ada.answerWith([{ toolCalls: calls }, 'Done.']);
  const reply = await ask(stage, world, session, '@reader go on');
  expectNoneOf(JSON.stringify(reply), others, nameOf(session));
  const toolCalls = reply.toolCalls as ToolCall[];
  expect(toolCalls).toHaveLength(calls.length);
  for (const { name, arguments: input, isError } of toolCalls) {
    const file = read.find(({ id }) => id === input.fileId);
    expect(isError).toBe(name === 'read_document' && !allowed.includes(file as File));
  }
  // The message has the beginning of what the model got.
  const results = ada.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
  const text = results.map(({ content }) => content).join('\n');
  expectNoneOf(text, others, nameOf(session));
  for (const { id } of allowed) expect(text, nameOf(session)).toContain(`fileId ${id}`);
}

async function compareRecall(
  { stage }: Agents,
  world: World,
  session: Session,
  mayRead: (file: File) => boolean,
): Promise<void> {
  const allowed = world.files.filter(mayRead);
  const others = world.files.filter((file) => !mayRead(file));
  const reply = await ask(stage, world, session, `@recall ${QUESTION}`);
  expectNoneOf(JSON.stringify(reply), others, nameOf(session));
  const cited = reply.citations.flatMap(({ documentId }) => documentId ?? []);
  const rows = await stage.server.db.query<{ id: string }>(
    'SELECT file_id AS id FROM documents WHERE org_id = $1 AND id = ANY ($2)',
    [world.org.orgId, cited],
  );
  for (const { id } of rows) expect(allowed.map((file) => file.id)).toContain(id);
  expect(rows.length > 0, nameOf(session)).toBe(allowed.length > 0);
}

export async function compareSession(
  agents: Agents,
  world: World,
  session: Session,
): Promise<void> {
  const mayRead = (file: File) => agentReads(world, session, file);
  const others = world.files.filter((file) => !mayRead(file));
  for (const person of world.people.filter((one) => readsSession(one, session))) {
    for (const file of world.files.filter(mayRead)) {
      expect(readsFile(world, person, file)).toBe(true);
    }
  }
  const { ada } = agents;
  const before = ada.requests.length;
  await compareTools(agents, world, session, mayRead);
  const told = JSON.stringify(ada.requests.slice(before).map(({ body }) => body));
  expectNoneOf(told, others, nameOf(session));
  for (const { files, isForgotten } of world.messages.filter((one) => one.session === session)) {
    for (const { name } of isForgotten ? [] : files) expect(told).toContain(name);
  }
  await compareRecall(agents, world, session, mayRead);
}

/** People of the channel read along, who need not belong to the Project. */
export async function compareOverheard(
  agents: Agents,
  world: World,
  session: Session,
): Promise<void> {
  const { orgId } = world.org;
  const { stage } = agents;
  const connectionId = await addConnection(stage.server.db, orgId);
  const place = { connectionId, projectId: session.project.id, sessionId: session.id };
  await addMapping(stage.server.db, orgId, place);
  const mayRead = (file: File) =>
    agentReads(world, session, file) &&
    world.messages.some(
      (one) => one.session === session && !one.isForgotten && one.files.includes(file),
    );
  await compareTools(agents, world, session, mayRead);
  await compareRecall(agents, world, session, mayRead);
}
