import fc from 'fast-check';
import { it } from 'vitest';
import { dataOf } from '../harness/clients/envelope.ts';
import { embedded } from '../harness/stages/document-stage.ts';
import { useAgentStage } from '../harness/stages/use-stage.ts';
import { compareOverheard, compareSession } from './file-agent-views.ts';
import { KINDS, STORIES, takeStep } from './file-stories.ts';
import { createWorld, overheardOf, readsSession, textsRead } from './file-world.ts';

/**
 * What an agent is given of files, finds and reads, and what `@recall` quotes and cites, is what every reader of the
 * session may read: in the organisations that the tests of people's rights are about.
 */
const agents = useAgentStage();

it('agents read of files what every reader of the session may read', async () => {
  const choice = fc.nat(60);
  const step = fc.record({
    kind: fc.constantFrom(...KINDS),
    who: fc.nat(3),
    choices: fc.tuple(choice, choice, choice),
  });
  const steps = fc.array(step, { minLength: 10, maxLength: 20, size: 'max' });
  // Once with nothing but the stories, so that nothing hides what they are about.
  const property = fc.asyncProperty(steps, async (taken) => {
    const { call, server } = agents.stage;
    const world = await createWorld({ call, db: server.db, origin: server.origin });
    const agent = { slug: 'reader', name: 'Reader', tools: ['search_documents', 'read_document'] };
    dataOf(await call('POST', '/api/agents', world.org.owner, agent), 201);
    for (const story of Object.values(STORIES)) await story(world);
    for (const one of taken) await takeStep(world, one);
    await textsRead(world);
    await embedded(server.db);
    const asked = world.sessions.filter((one) =>
      world.people.some((who) => readsSession(who, one)),
    );
    for (const session of asked) await compareSession(agents, world, session);
    for (const session of overheardOf(world, asked)) {
      await compareOverheard(agents, world, session);
    }
  });
  await fc.assert(property, { numRuns: 2, endOnFailure: true, examples: [[[]]] });
}, 240_000);
