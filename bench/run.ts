/**
 * `npm run bench -- [name [argument…]]…` runs the named benchmarks, or all of them. Results are
 * printed and never committed, since they depend on the machine.
 */
import { benchAgents } from './agents.ts';
import { benchColdStart } from './cold-start.ts';
import { benchDurability } from './durability.ts';
import { benchFairness } from './fairness.ts';
import { benchJobs } from './jobs.ts';
import { benchLists } from './lists.ts';
import { benchMemoryWrites } from './memory-writes.ts';
import { benchMessages } from './messages.ts';
import { benchPool } from './pool.ts';
import { profileRequests } from './profile.ts';
import { benchRecall } from './recall.ts';
import { benchRequests } from './requests.ts';
import { benchSdkJs } from './sdk-js.ts';
import { benchSearch } from './search.ts';
import { benchReplies } from './streaming.ts';
import { benchWeb } from './web.ts';
import { benchWrites } from './writes.ts';

const BENCHES: Record<string, (...args: string[]) => Promise<void>> = {
  requests: benchRequests,
  profile: profileRequests,
  writes: benchWrites,
  pool: benchPool,
  messages: benchMessages,
  lists: benchLists,
  jobs: benchJobs,
  agents: benchAgents,
  streaming: benchReplies,
  durability: benchDurability,
  fairness: benchFairness,
  recall: benchRecall,
  search: benchSearch,
  'memory-writes': benchMemoryWrites,
  'sdk-js': benchSdkJs,
  'cold-start': benchColdStart,
  web: benchWeb,
};

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
for (const { name, args } of readRuns(words.length > 0 ? words : Object.keys(BENCHES))) {
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
