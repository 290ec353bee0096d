/**
 * Imports the paragraphs of every Markdown file in a folder as memories of the whole organisation.
 * Each paragraph has its own idempotency key, so a second run within a day adds nothing.
 *
 *   ATRIUM_API_KEY=sk_live_… node import-notes.js ./notes
 */
/* oxlint-disable no-console */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AtriumMemory } from '@atrium/sdk';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Usage: node import-notes.js <folder>');

// Writes wait when the rate limit is reached, so an import needs more retries than the default.
const client = new AtriumMemory({ maxRetries: 5 });

let made = 0;
let known = 0;
for (const file of await readdir(folder, { recursive: true })) {
  if (!file.endsWith('.md')) continue;
  const text = await readFile(join(folder, file), 'utf8');
  for (const content of text.split(/\n\s*\n/).map((paragraph) => paragraph.trim())) {
    if (content === '' || content.startsWith('#')) continue;
    const idempotencyKey = createHash('sha256').update(`${file}\n${content}`).digest('hex');
    const { isReplay } = await client.memories
      .create({ content, visibility: 'ORG', tags: ['notes'] }, { idempotencyKey })
      .withResponse();
    if (isReplay) known += 1;
    else made += 1;
  }
}
console.log(`${made} imported, ${known} already known`);

const { items } = await client.memories.search({ query: 'What matters most?', limit: 3 });
for (const { score, content } of items) console.log(`${score.toFixed(2)}  ${content.slice(0, 80)}`);
