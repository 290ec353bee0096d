/** `npm run bench -- [name…]`, all of them where none is named. Results are printed, never kept: they are this machine's. */
import { benchColdStart } from './cold-start.ts';
import { benchJobs } from './jobs.ts';
import { benchMessages } from './messages.ts';
import { profileRequests } from './profile.ts';
import { benchRequests } from './requests.ts';

const BENCHES: Record<string, () => Promise<void>> = {
  requests: benchRequests,
  profile: profileRequests,
  messages: benchMessages,
  jobs: benchJobs,
  'cold-start': benchColdStart,
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(BENCHES);
for (const name of names) {
  const bench = BENCHES[name];
  if (!bench) {
    process.stderr.write(
      `there is no bench "${name}"; there are ${Object.keys(BENCHES).join(', ')}\n`,
    );
    process.exitCode = 2;
    break;
  }
  await bench();
}
