/**
 * Posts what happened in a Project since yesterday, and asks the model what to discuss.
 *
 *   ATRIUM_API_KEY=atr_… node standup-bot.js pricing-2027
 */
/* oxlint-disable no-console */
import { Atrium } from '@atrium/sdk';

const [slug] = process.argv.slice(2);
if (!slug) throw new Error('Usage: node standup-bot.js <project-slug>');

const client = new Atrium();
const since = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString();

let standup;
const lines = [];
for await (const session of client.sessions.list(slug)) {
  if (session.name === 'Stand-up') {
    standup = session;
    continue;
  }
  let count = 0;
  // Messages come newest first, so stop at the first one older than a day.
  for await (const message of client.messages.list(slug, session.id, { limit: 100 })) {
    if (message.createdAt < since) break;
    count += 1;
  }
  if (count > 0) lines.push(`- ${session.title ?? session.name}: ${count} new`);
}

standup ??= await client.sessions.create(slug, { name: 'Stand-up' });
const body = ['Good morning! Since yesterday:', ...(lines.length > 0 ? lines : ['- nothing new'])];
const { message, replies } = await client.messages.postAndWait(slug, standup.id, {
  body: `${body.join('\n')}\n\n@model what should we talk about today?`,
});

console.log(message.body);
for (const reply of replies) console.log(`\n${reply.agentSlug}: ${reply.body}`);
