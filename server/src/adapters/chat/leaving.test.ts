import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAuthority } from '../../../test/harness/outside/certificates.ts';
import { startChatSide, type ChatSide } from '../../../test/harness/outside/chat/chat-side.ts';

const SCRIPT = join(import.meta.dirname, '../../../test/harness/outside/chat/listen-and-leave.ts');
const authority = createAuthority();
let sides: ChatSide[];

beforeAll(async () => {
  const providers = ['SLACK', 'MATTERMOST'] as const;
  sides = await Promise.all(providers.map((name) => startChatSide(name, authority)));
});
afterAll(() => Promise.all(sides.map((side) => side.close())));

it('a process ends when it has left its connections', async () => {
  const given = sides.map(({ provider, settings, env }) => ({ provider, settings, env }));
  const argument = JSON.stringify({ sides: given, ca: authority.certificate });
  const heard = Promise.all(sides.map((side) => side.listening()));
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, argument]);
  expect(stdout).toBe('');
  await heard;
});
