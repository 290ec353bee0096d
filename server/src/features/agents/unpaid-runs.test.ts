import { beforeEach, describe, expect, it } from 'vitest';
import type { Room, ShownMessage } from '../../../test/harness/stages/agent-stage.ts';
import { useAgentStage } from '../../../test/harness/stages/use-stage.ts';
import { useNewOrg } from '../../../test/harness/processes/use-test-org.ts';
import { holdAnswers } from '../../../test/harness/outside/model-server.ts';

/** Credits that failed replies may use in a day. */
const MOST_UNPAID = 500;
const REFUSED = { status: 400 };
/** Costs something, and leads to another one. */
const STEP = {
  toolCalls: [{ name: 'list_tasks', input: {} }],
  usage: { inputTokens: 10_000, outputTokens: 10 },
};

const { stage, ada } = useAgentStage([{ slug: 'ada', creditsPer1kTokens: 8 }]);
const org = useNewOrg(() => stage.server.db);
let room: Room;

beforeEach(async () => {
  room = await stage.openRoom({}, org);
  const body = { slug: 'busy', name: 'Busy', tools: ['list_tasks'] };
  const made = await stage.call('POST', '/api/agents', org.owner, body);
  expect(made.status, made.text).toBe(201);
});

const balance = async () =>
  (await stage.call('GET', '/api/billing/credits', org.owner)).json.data.balance;
async function unpaidCredits(): Promise<number> {
  const [account] = await stage.server.db.query<{ unpaid: number }>(
    'SELECT unpaid_credits AS unpaid FROM credit_accounts WHERE org_id = $1',
    [org.orgId],
  );
  return account?.unpaid ?? 0;
}
const failOnce = async (): Promise<ShownMessage> => {
  ada.answerWith([STEP, REFUSED]);
  const [reply] = await room.ask('@busy fail');
  return reply as ShownMessage;
};

describe('replies that fail after steps that the provider was paid for', () => {
  it('cost nothing, until they have used too much in a day', async () => {
    const before = ada.requests.length;
    const had = await balance();
    let failures = 0;
    let reply = await failOnce();
    for (; reply.error?.code === 'provider_error' && failures < 30; failures++) {
      expect(reply.usage?.credits).toBe(0);
      reply = await failOnce();
    }
    expect(reply).toMatchObject({ status: 'FAILED', error: { code: 'too_many_failures' } });
    expect(failures).toBeGreaterThan(1);
    const unpaid = await unpaidCredits();
    expect(unpaid).toBeGreaterThanOrEqual(MOST_UNPAID);
    // The last one costs more than the average, because what was said before it is in its prompt.
    expect(unpaid).toBeLessThan(MOST_UNPAID + (1.2 * unpaid) / failures);
    expect(ada.requests).toHaveLength(before + 2 * failures);
    expect(await balance()).toBe(had);

    await stage.server.db.query(
      `UPDATE credit_accounts SET unpaid_since = now() - interval '25 hours' WHERE org_id = $1`,
      [org.orgId],
    );
    ada.answerWith(['Fine.']);
    expect((await room.ask('@busy and now?'))[0]).toMatchObject({ status: 'COMPLETED' });
  });

  it('count as well if their question is deleted before they land', async () => {
    ada.answerWith([REFUSED]);
    const [failed] = await room.ask('@ada what now?');
    const gate = holdAnswers(ada, {
      text: 'Too late.',
      usage: { inputTokens: 1_000, outputTokens: 1_000 },
    });
    await stage.call('POST', `${room.space}/messages/${failed?.id}/retry`, org.member);
    await gate.asked();
    const question = `${room.space}/messages/${failed?.inReplyToMessageId}`;
    expect((await stage.call('DELETE', question, org.member)).status).toBe(204);
    gate.open();
    await stage.settled();
    expect(await unpaidCredits()).toBe(16);
  });
});
