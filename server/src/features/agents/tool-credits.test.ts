import { beforeEach, describe, expect, it } from 'vitest';
import type { Room } from '../../../test/harness/stages/agent-stage.ts';
import { speakMcp, words } from '../../../test/harness/outside/mcp-upstream.ts';
import { dataOf } from '../../../test/harness/clients/envelope.ts';
import type { SeenRequest } from '../../../test/harness/outside/model-server.ts';
import { useAgentStage, useMcpUpstream } from '../../../test/harness/stages/use-stage.ts';
import { useNewOrg } from '../../../test/harness/processes/use-test-org.ts';
import { findCredits } from '../billing/ledger/store.ts';

/** One credit per 1,000 tokens. Every org has 200 a month. */
const INCLUDED = 200;
const FINAL = 'That is all.';

const { upstream, mayCallIt, registration } = useMcpUpstream();
const { stage, ada } = useAgentStage([{ slug: 'ada', creditsPer1kTokens: 1 }], mayCallIt);
const org = useNewOrg(() => stage.server.db);
let room: Room;
/** What the provider would charge for each question. */
let charged: Map<string, number>;

beforeEach(async () => {
  charged = new Map();
  room = await stage.openRoom({}, org);
  dataOf(await stage.call('POST', '/api/mcp/servers', org.owner, registration()), 201);
  resultOf(15_000);
  ada.requests.length = 0;
  ada.answerWith(searchOnAndOn);
});

function resultOf(length: number): void {
  upstream.answerWith(speakMcp([{ name: 'find', run: () => words('7'.repeat(length)) }]));
}

/** Calls its tool as often as allowed, and counts one token per byte, the most expensive tokenizer. */
function searchOnAndOn(request: SeenRequest) {
  const { body, instructions, messages, toolChoice } = request;
  const said = (body['messages'] as { tool_calls?: { function: { arguments: string } }[] }[])
    .flatMap(({ tool_calls: calls = [] }) => calls.map((call) => call.function.arguments))
    .concat(instructions, JSON.stringify(body['tools']));
  const sent = [...said, ...messages.map(({ content }) => content)].join('');
  const usage = { inputTokens: Buffer.byteLength(sent), outputTokens: 12 };
  const { content: asked = '' } = messages.findLast(({ role }) => role === 'user') ?? {};
  const [, question = ''] = /<question[^>]*>\n@wiki (.*)\n/.exec(asked) ?? [];
  const tokens = usage.inputTokens + usage.outputTokens;
  charged.set(question, (charged.get(question) ?? 0) + tokens);
  if (toolChoice === 'none') return { text: FINAL, usage };
  return { toolCalls: [{ name: 'find', input: { q: 'x' } }], usage };
}

async function sumOf(table: 'ledger_entries' | 'credit_reservations', kind?: string) {
  const [row] = await stage.server.db.query<{ sum: number }>(
    `SELECT coalesce(sum(credits), 0)::int AS sum FROM ${table}
     WHERE org_id = $1 ${kind === undefined ? '' : `AND kind = '${kind}'`}`,
    [org.orgId],
  );
  return row?.sum ?? 0;
}

const topUp = (credits: number) =>
  stage.server.db.query(
    `INSERT INTO ledger_entries (org_id, id, kind, credits, source) VALUES ($1, 'top', 'TOPUP', $2, 'top')`,
    [org.orgId, credits],
  );

/** Leaves this many of the month's included credits. */
async function spendAllBut(credits: number): Promise<void> {
  await stage.call('GET', '/api/billing/credits', org.owner);
  await stage.server.db.query(
    `INSERT INTO ledger_entries (org_id, id, kind, credits, source) VALUES ($1, 'spent', 'USAGE', $2, 'spent')`,
    [org.orgId, credits - INCLUDED],
  );
}

const creditsFor = (question: string) => Math.ceil((charged.get(question) ?? 0) / 1000);
const choices = () => ada.requests.map(({ toolChoice }) => toolChoice);

describe('an agent that uses tools', () => {
  it('pays for everything its steps used, however much more than the first step that is', async () => {
    await topUp(10_000);
    const [reply] = await room.ask('@wiki question 1');
    expect(reply).toMatchObject({ status: 'COMPLETED', body: FINAL });
    expect(choices()).toEqual([...Array(8).fill('auto'), 'none']);
    expect(creditsFor('question 1')).toBeGreaterThan(500);
    expect(reply?.usage?.credits).toBe(creditsFor('question 1'));
    expect(await sumOf('ledger_entries', 'USAGE')).toBe(-creditsFor('question 1'));
    expect(await sumOf('credit_reservations')).toBe(0);
  });

  it('starts no step that its org cannot pay, and answers with what it has', async () => {
    const [reply] = await room.ask('@wiki question 2');
    expect(reply).toMatchObject({ status: 'COMPLETED', body: FINAL });
    expect(choices().length).toBeGreaterThan(2);
    expect(choices().length).toBeLessThan(9);
    expect(choices().at(-1)).toBe('none');
    expect(reply?.usage?.credits).toBe(creditsFor('question 2'));
    expect(await sumOf('ledger_entries')).toBe(INCLUDED - creditsFor('question 2'));
    expect(await sumOf('ledger_entries')).toBeGreaterThanOrEqual(0);
  });

  it('shows the model as much of a result as its org can pay for', async () => {
    await spendAllBut(22);
    const [reply] = await room.ask('@wiki question 3');
    expect(reply).toMatchObject({ status: 'COMPLETED', body: FINAL });
    expect(choices()).toEqual(['auto', 'none']);
    const told = ada.requests[1]?.messages.at(-1)?.content ?? '';
    expect(told).toMatch(/^<tool_result>\n7{3000,} …$/);
    expect(reply?.usage?.credits).toBe(creditsFor('question 3'));
    expect(await sumOf('ledger_entries')).toBe(22 - creditsFor('question 3'));
  });

  it('is not started if its first step and an answer cannot be paid', async () => {
    await spendAllBut(12);
    const [reply] = await room.ask('@wiki question 4');
    expect(reply).toMatchObject({ status: 'FAILED', error: { code: 'no_credits' } });
    expect(ada.requests).toEqual([]);
    expect([await sumOf('ledger_entries'), await sumOf('credit_reservations')]).toEqual([12, 0]);
  });

  it('that fails in a later step reserves nothing and costs nothing', async () => {
    await topUp(1_000);
    ada.answerWith((request, index) =>
      index < 3 ? searchOnAndOn(request) : { text: 'Half', ending: 'cut' },
    );
    const [reply] = await room.ask('@wiki question 5');
    expect(reply).toMatchObject({ status: 'FAILED', usage: { credits: 0 } });
    expect(reply?.toolCalls).toHaveLength(3);
    expect(ada.requests).toHaveLength(6);
    expect(await sumOf('ledger_entries', 'USAGE')).toBe(0);
    expect(await sumOf('credit_reservations')).toBe(0);
  });
});

describe('many concurrent agents of one org', () => {
  it('together never use more than their org can pay, and pay for all of it', async () => {
    resultOf(2_000);
    await topUp(100);
    let asked = 0;
    const overdrawn: unknown[] = [];
    ada.answerWith(async (request) => {
      const answer = searchOnAndOn(request);
      asked += answer.usage.inputTokens + answer.usage.outputTokens;
      const credits = await findCredits(stage.server.db, org.orgId);
      if (credits.reserved > credits.balance || asked > 1000 * (INCLUDED + 100)) {
        overdrawn.push({ asked, ...credits });
      }
      return answer;
    });
    const posted = await Promise.all(
      Array.from({ length: 16 }, (_, at) => room.post(`@wiki question ${at}`)),
    );
    await stage.settled();
    // Reservations never exceed the balance, and the provider never charges more than the org has.
    expect(overdrawn).toEqual([]);
    const listed = (await room.list()).filter(({ authorKind }) => authorKind === 'AGENT');
    expect(listed).toHaveLength(posted.length);
    const paid = listed.filter(({ status }) => status === 'COMPLETED');
    expect(paid.length).toBeGreaterThan(2);
    const refused = listed.filter(({ error }) => error?.code === 'no_credits');
    expect(paid.length + refused.length).toBe(posted.length);
    // Every request to the provider was paid.
    expect(charged.size).toBe(paid.length);
    const due = [...charged.keys()].reduce((sum, question) => sum + creditsFor(question), 0);
    expect(await sumOf('ledger_entries', 'USAGE')).toBe(-due);
    expect(await sumOf('ledger_entries')).toBeGreaterThanOrEqual(0);
    expect(await sumOf('credit_reservations')).toBe(0);
  });
});
