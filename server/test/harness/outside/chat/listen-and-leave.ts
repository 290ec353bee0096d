import { createChatGuard } from '../../../../src/adapters/chat/create-chat-guard.ts';
import { openChat } from '../../../../src/adapters/chat/open-chat.ts';
import type { ChatSide } from './chat-side.ts';

const STILL_HERE_MS = 5_000;

/** Connects to the systems it is given, leaves them, and has nothing more to do. */
const { sides, ca } = JSON.parse(process.argv[2] ?? '') as {
  sides: Pick<ChatSide, 'provider' | 'settings' | 'env'>[];
  ca: string;
};
const leaving = new AbortController();
for (const { provider, settings, env } of sides) {
  const { CHAT_ALLOW_HOSTS: host, SLACK_API_BASE: slackOrigin } = env;
  const guard = createChatGuard(
    { chatAllowHosts: host === undefined ? [] : [host], slackOrigin },
    { dnsServers: [], ownOrigin: 'https://atrium.example.com', ca },
  );
  await openChat(provider, settings, guard).listen(leaving.signal);
}
leaving.abort();
setTimeout(() => {
  process.stdout.write(`still here: ${process.getActiveResourcesInfo().join()}`);
  process.exit(1);
}, STILL_HERE_MS).unref();
