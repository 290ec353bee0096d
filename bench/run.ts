/**
 * `npm run bench -- [name [argument…]]…` runs the named benchmarks, or all but the longest. Results are
 * printed and never committed, since they depend on the machine.
 */
import { benchAgents } from './agents.ts';
import { benchBefore } from './before.ts';
import { benchColdStart } from './cold-start.ts';
import { benchDocumentSearch } from './document-search.ts';
import { benchDocuments } from './documents.ts';
import { benchDurability } from './durability.ts';
import { benchFairness } from './fairness.ts';
import { benchFileQueue } from './file-queue.ts';
import { benchFileText } from './file-text.ts';
import { benchFiles } from './files.ts';
import { benchJobs } from './jobs.ts';
import { benchLists } from './lists.ts';
import { benchMemoryWrites } from './memory-writes.ts';
import { benchMentions } from './mentions.ts';
import { benchMessageSearch } from './message-search.ts';
import { benchMessages } from './messages.ts';
import { benchPool } from './pool.ts';
import { profileRequests } from './profile.ts';
import { benchLanguages } from './languages/languages.ts';
import { benchRecall } from './recall.ts';
import { benchReaders } from './readers.ts';
import { benchReembedding } from './reembed.ts';
import { benchRequests } from './requests.ts';
import { benchSdkJs } from './sdk-js.ts';
import { benchTeamLoad } from './team-load.ts';
import { benchSearch } from './search.ts';
import { benchReplies } from './streaming.ts';
import { benchUnread } from './unread.ts';
import { benchTasks } from './tasks.ts';
import { benchInteractions } from './interactions.ts';
import { benchWeb } from './web.ts';
import { benchWrites } from './writes.ts';

const BENCHES: Record<string, (...args: string[]) => Promise<void>> = {
  requests: benchRequests,
  profile: profileRequests,
  writes: benchWrites,
  pool: benchPool,
  messages: benchMessages,
  mentions: benchMentions,
  'message-search': benchMessageSearch,
  lists: benchLists,
  unread: benchUnread,
  tasks: benchTasks,
  jobs: benchJobs,
  agents: benchAgents,
  streaming: benchReplies,
  durability: benchDurability,
  fairness: benchFairness,
  'file-text': benchFileText,
  files: benchFiles,
  'file-queue': benchFileQueue,
  before: benchBefore,
  readers: benchReaders,
  recall: benchRecall,
  documents: benchDocuments,
  'document-search': benchDocumentSearch,
  languages: benchLanguages,
  reembed: benchReembedding,
  search: benchSearch,
  'memory-writes': benchMemoryWrites,
  load: benchTeamLoad,
  'sdk-js': benchSdkJs,
  'cold-start': benchColdStart,
  web: benchWeb,
  interactions: benchInteractions,
};

/** `load` takes half an hour. */
const USUAL = Object.keys(BENCHES).filter((name) => name !== 'load');

/** A word that is not the name of a benchmark is an argument of the one before it. */
function readRuns(words: string[]): { name: string; args: string[] }[] {
  const runs: { name: string; args: string[] }[] = [];
  for (const word of words) {
    const last = runs.at(-1);
    if (word in BENCHES || !last) runs.push({ name: word, args: [] });
    else last.args.push(word);
  }
  return runs;
}

const words = process.argv.slice(2);
for (const { name, args } of readRuns(words.length > 0 ? words : USUAL)) {
  const bench = BENCHES[name];
  if (!bench) {
    process.stderr.write(
      `unknown benchmark "${name}"; expected one of ${Object.keys(BENCHES).join(', ')}\n`,
    );
    process.exitCode = 2;
    break;
  }
  await bench(...args);
}
