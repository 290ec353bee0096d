import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

/**
 * A feature reaches another one through its service.ts. These are the other files that features may
 * import from each other, each with its reason. The linter cannot tell features apart by relative paths.
 */
const DOORS: Readonly<Record<string, string>> = {
  'live/reply-board.ts': 'chat channels show replies while they are written, as pages do',
  'projects/slug.ts': 'handles are made from names as slugs are',
  'keys/scopes.ts': 'the list of scopes; a person in the browser has all of them',
  'agents/present.ts': 'the MCP endpoint and exports have the records of the API',
  'channels/present.ts': 'exports have the records of the API',
  'billing/present.ts': 'exports have the records of the API',
  'keys/present.ts': 'exports have the records of the API',
  'mcp/present.ts': 'exports have the records of the API',
  'org/present.ts': 'exports have the records of the API',
  'memory/present.ts': 'the MCP endpoint and exports have the records of the API',
  'messages/present.ts': 'the MCP endpoint and exports have the records of the API',
  'notifications/present.ts': 'the MCP endpoint has the records of the API',
  'projects/present.ts': 'the MCP endpoint and exports have the records of the API',
  'tasks/present.ts': 'the MCP endpoint and exports have the records of the API',
  'tasks/schema.ts': 'MCP tools take the arguments of the API',
  'tasks/status.ts': 'the statuses that tools of agents name',
  'sessions/present.ts': 'the MCP endpoint and exports have the records of the API',
  'agents/schema.ts': 'MCP tools take the arguments of the API',
  'memory/schema.ts': 'MCP tools take the arguments of the API',
  'messages/schema.ts': 'MCP tools take the arguments of the API',
  'notifications/schema.ts': 'MCP tools take the arguments of the API',
  'projects/schema.ts': 'MCP tools take the arguments of the API',
  'sessions/schema.ts': 'MCP tools take the arguments of the API',
};

const FEATURES = join(import.meta.dirname, '../server/src/features');
const IMPORT = /\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g;

const used = new Set<string>();
const problems: string[] = [];
for (const file of globSync('**/*.ts', { cwd: FEATURES }).toSorted()) {
  if (file.endsWith('.test.ts')) continue;
  for (const [, path = '', loaded = ''] of readFileSync(join(FEATURES, file), 'utf8').matchAll(
    IMPORT,
  )) {
    const target = relative(FEATURES, join(FEATURES, dirname(file), path || loaded));
    if (target.startsWith('..') || featureOf(target) === featureOf(file)) continue;
    if (Object.hasOwn(DOORS, target)) used.add(target);
    else if (basename(target) !== 'service.ts') {
      problems.push(`features/${file} imports ${target}; use ${featureOf(target)}/service.ts`);
    }
  }
}
for (const door of Object.keys(DOORS)) {
  if (!used.has(door))
    problems.push(`${door} is listed, but no other feature imports it: remove it`);
}

if (problems.length > 0) {
  console.error(
    `Imports between features (scripts/check-feature-imports.ts):\n${problems.join('\n')}`,
  );
  process.exitCode = 1;
}

function featureOf(file: string): string {
  return file.split('/')[0] ?? '';
}
