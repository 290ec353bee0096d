import { beforeAll, describe, expect, it } from 'vitest';
import type { Room, ShownMessage } from '../../../../test/harness/stages/agent-stage.ts';
import { useAgentStage } from '../../../../test/harness/stages/use-stage.ts';

const { stage, ada } = useAgentStage();
let room: Room;
/** Said in another session of the room's Project that every member may read. */
let said: ShownMessage;

beforeAll(async () => {
  room = await stage.openRoom();
  said = await say(
    await open({ name: 'Facilities' }),
    'The boiler is serviced by Kramer and Sons.',
  );
  const closed = await open({ name: 'Secret', access: 'PARTICIPANTS' });
  await say(closed, 'The boiler is serviced by canary-private, by the way.');
  const elsewhere = await stage.openRoom();
  await elsewhere.post('The boiler is serviced by canary-project.');
});

async function open(body: object): Promise<string> {
  const made = await stage.call('POST', `${room.space}/sessions`, stage.org.owner, body);
  return made.json.data.id;
}

async function say(sessionId: string, body: string): Promise<ShownMessage> {
  const path = `${room.space}/sessions/${sessionId}/messages`;
  return (await stage.call('POST', path, stage.org.owner, { body })).json.data;
}

describe('@recall', () => {
  it("quotes the Project's other sessions, and says where and when it was said", async () => {
    const [reply] = await room.ask('@recall who services the boiler?');
    const owner = stage.org.owner.email.split('@')[0];
    expect(reply?.body).toContain('> The boiler is serviced by Kramer and Sons.');
    expect(reply?.body).toMatch(
      new RegExp(`— ${owner}, in “Facilities”, \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC \\[1\\]`),
    );
    expect(reply?.citations).toEqual([{ messageId: said.id }]);
    expect(reply?.body).not.toContain('canary');
  });

  it('in a private session quotes that one and the open ones, and no other private session', async () => {
    const participantUserIds = [stage.org.member.userId];
    const inside = await open({ name: 'Own', access: 'PARTICIPANTS', participantUserIds });
    await say(inside, 'We replace the boiler in March, between us.');
    const question = await say(inside, '@recall what about the boiler?');
    await stage.settled();
    const path = `${room.space}/sessions/${inside}/messages`;
    const listed = await stage.call('GET', path, stage.org.owner);
    const reply = (listed.json.data.items as ShownMessage[]).find(
      ({ inReplyToMessageId }) => inReplyToMessageId === question.id,
    );
    expect(reply?.body).toContain('between us');
    expect(reply?.body).toContain('Kramer and Sons');
    expect(reply?.body).not.toContain('canary');
    const [outside] = await room.ask('@recall when do we replace the boiler?');
    expect(outside?.body).not.toContain('between us');
  });

  it('says so if the closest match may not be an answer', async () => {
    await room.remember('The heating is checked in autumn.');
    const [reply] = await room.ask('@recall in which season does somebody look at the radiators?');
    expect(reply?.body).toMatch(/^(I’m not sure that this answers it\. The closest I found:|Here)/);
    expect(reply?.body).toContain('> The heating is checked in autumn.');
  });

  it('quotes each source once, as plain text, and never what an agent answered before', async () => {
    const body = '## Rollout\n\nThe **kiln** is fired `twice` by [Wanda](https://a.b), says [1].';
    const memoryId = await room.remember(body);
    await say(await open({ name: 'Kiln' }), body);
    ada.answerWith(() => 'The kiln is fired twice by canary-agent.');
    await room.ask('@ada who fires the kiln?');
    await room.ask('@recall who fires the kiln?');
    const [reply] = await room.ask('@recall who fires the kiln?');
    expect(reply?.body.match(/^> (?!—).+/gm)).toEqual([
      '> Rollout: The kiln is fired twice by Wanda, says \\[1\\].',
    ]);
    expect(reply?.citations).toEqual([{ memoryId }]);
  });

  it('no longer quotes a message that was deleted', async () => {
    const gone = await say(await open({ name: 'Garden' }), 'The roses are pruned by Bertram.');
    const path = `${room.space}/messages/${gone.id}`;
    expect((await stage.call('DELETE', path, stage.org.owner)).status).toBe(204);
    const [reply] = await room.ask('@recall who prunes the roses?');
    expect(reply?.body).not.toContain('Bertram');
  });
});

describe('a model', () => {
  it('reads what was said in other sessions as data, and can cite it', async () => {
    ada.answerWith((request) => {
      const content = request.messages.at(-1)?.content ?? '';
      const id = /<said id="(s\d+)" from="[^"]+" session="Facilities" date="[\d-]+">/.exec(content);
      return `Kramer and Sons [${id?.[1]}], not [s9].`;
    });
    const [reply] = await room.ask('@ada who services the boiler?');
    expect(reply?.body).toBe('Kramer and Sons [1], not [s9].');
    expect(reply?.citations).toEqual([{ messageId: said.id }]);
    expect(JSON.stringify(ada.requests)).not.toMatch(/canary-(private|project)/);
  });
});
