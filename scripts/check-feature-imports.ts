/** Checks who imports whom in server/src. The rules are in import-rules.ts, and in docs/ARCHITECTURE.md. */
import { problemsOf, readSources } from './import-rules.ts';

const problems = problemsOf(readSources());
if (problems.length > 0) {
  console.error(`Imports in server/src (scripts/import-rules.ts):\n${problems.join('\n')}`);
  process.exitCode = 1;
}
