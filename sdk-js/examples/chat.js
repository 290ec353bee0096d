/**
 * A chat in the terminal. Every line is posted to a new session. A line without a mention goes to
 * the session's model.
 *
 *   ATRIUM_API_KEY=atr_… node chat.js pricing-2027
 */
/* oxlint-disable no-console */
import { createInterface } from 'node:readline/promises';
import { Atrium, AtriumError } from '@atrium/sdk';

const [slug] = process.argv.slice(2);
if (!slug) throw new Error('Usage: node chat.js <project-slug>');

const client = new Atrium();
const session = await client.sessions.create(slug, {
  name: `Chat, ${new Date().toDateString()}`,
});
const terminal = createInterface({ input: process.stdin, output: process.stdout });
console.log('Ask a question. An empty line ends the chat.');
terminal.setPrompt('> ');
terminal.prompt();

for await (const line of terminal) {
  if (line.trim() === '') break;
  const body = line.includes('@') ? line : `@model ${line}`;
  try {
    const { replies, isComplete } = await client.messages.postAndWait(slug, session.id, { body });
    for (const reply of replies) console.log(`${reply.agentSlug}: ${reply.body}`);
    if (!isComplete) console.log('(no reply yet; it will appear in the session)');
  } catch (error) {
    if (!(error instanceof AtriumError)) throw error;
    console.log(`(${error.code}: ${error.message})`);
  }
  terminal.prompt();
}
terminal.close();
