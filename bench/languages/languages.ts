import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { createOrg } from '../../server/src/features/identity/service.ts';
import { makeKey, setAnyStage, startAtrium } from '../stage.ts';

const LANGUAGES = ['de', 'es', 'fr', 'ja', 'zh'];
/** The n-th note answers the n-th question. */
const Notes = z.array(z.object({ note: z.string(), question: z.string() }));
const Found = z.object({ data: z.object({ items: z.array(z.object({ content: z.string() })) }) });

/** Measures how well questions in other languages find the note that answers them, in an org of each. */
export async function benchLanguages(): Promise<void> {
  const stage = await setAnyStage();
  const keys: string[] = [];
  for (const language of LANGUAGES) {
    const ownerEmail = `${language}@example.com`;
    const { orgId, owner } = await createOrg(stage.db, { name: language, ownerEmail });
    keys.push(await makeKey(stage.db, orgId, owner.id));
  }
  const atrium = await startAtrium(stage);
  try {
    for (const [at, language] of LANGUAGES.entries()) {
      const notes = await readNotes(language);
      const post = caller(atrium.origin, keys[at] ?? '');
      for (const { note } of notes) await post('/memory', { content: note, visibility: 'ORG' });
      let [first, inFive] = [0, 0];
      for (const { note, question } of notes) {
        const { data } = Found.parse(await post('/memory/search', { query: question, limit: 5 }));
        const place = data.items.findIndex(({ content }) => content === note);
        if (place === 0) first++;
        if (place !== -1) inFive++;
      }
      process.stdout.write(
        `languages: ${language}: ${notes.length} notes and questions; recall@1 ${share(first, notes)}, recall@5 ${share(inFive, notes)}\n`,
      );
    }
  } finally {
    await atrium.stop();
    await stage.drop();
  }
}

async function readNotes(language: string): Promise<z.output<typeof Notes>> {
  const file = new URL(`${language}.json`, import.meta.url);
  return Notes.parse(JSON.parse(await readFile(file, 'utf8')));
}

function caller(origin: string, key: string): (path: string, body: object) => Promise<unknown> {
  return async (path, body) => {
    const response = await fetch(`${origin}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
}

function share(count: number, all: readonly unknown[]): string {
  return (count / all.length).toFixed(2);
}
