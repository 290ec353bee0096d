/** `node training/prepare/prepare.ts FOLDER [set…]` writes each set as gzipped lines of JSON. See ../README.md. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { encodeHaystack, type Haystack } from './haystack.ts';
import { readPersonaChat } from './persona-chat.ts';
import { readFriends, readLocomo, readQmsum, readRealtalk, readSquad } from './sources.ts';

const ALL = Number.POSITIVE_INFINITY;
const SETS: Record<string, () => Haystack[]> = {
  'eval-locomo': readLocomo,
  'eval-realtalk': readRealtalk,
  'eval-friends': () => readFriends('tst'),
  'eval-squad': () => readSquad('test', { from: 9_000, to: ALL, size: 400, isForTraining: false }),
  friends: () => readFriends('dev'),
  squad: () => [
    ...readSquad('dev', { from: 0, to: ALL, size: 300, isForTraining: true }),
    ...readSquad('test', { from: 0, to: 8_600, size: 300, isForTraining: true }),
  ],
  qmsum: readQmsum,
  spc: readPersonaChat,
};

const [folder = '', ...names] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
for (const name of names.length > 0 ? names : Object.keys(SETS)) {
  const haystacks = SETS[name]?.() ?? [];
  const lines = haystacks.map((haystack) => JSON.stringify(encodeHaystack(haystack)));
  await writeFile(join(folder, `${name}.jsonl.gz`), gzipSync(lines.join('\n'), { level: 9 }));
  const memories = haystacks.reduce((sum, each) => sum + each.memories.length, 0);
  const questions = haystacks.reduce((sum, each) => sum + each.questions.length, 0);
  process.stdout.write(
    `${name}: ${haystacks.length} haystacks, ${memories} memories, ${questions} questions\n`,
  );
}
