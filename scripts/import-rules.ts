import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The rooms of server/src, floor by floor from the bottom. A room imports only from the floors below its own. */
export const ROOMS: readonly (readonly string[])[] = [
  ['core'],
  ['config', 'text', 'lists'],
  ['disk'],
  ['db'],
  ['access', 'bus', 'backup', 'web-app'],
  ['jobs'],
  ['adapters', 'events'],
  ['http'],
  ['mcp-endpoint'],
  ['features'],
  ['app'],
  ['doctor'],
  ['commands'],
  ['main.ts'],
];

/** The features, in the same way. Those on the top floor listen to the others, or app/ passes them in. */
export const FEATURES: readonly (readonly string[])[] = [
  ['audit', 'billing', 'keys', 'mentions'],
  ['mcp', 'models', 'org', 'projects'],
  ['files', 'identity', 'memory', 'sessions'],
  ['documents', 'messages'],
  ['channels', 'tasks'],
  ['agents', 'reminders'],
  ['exports', 'live', 'notifications'],
];
const MOST_ARROWS = 55;

/** A feature reaches another through a service.ts. These are the other files that it may import. */
export const DOORS: Readonly<Record<string, string>> = {
  'files/attaching/present.ts': 'messages and tasks return attachments',
  'files/attaching/schema.ts': 'messages and tasks return attachments',
  'keys/scopes.ts': 'the list of scopes; a person in the browser has all of them',
  'memory/search/scoring.ts': 'the first ranking as SQL, which the store of documents uses too',
  'sessions/present.ts': 'a route of tasks and an MCP resource of messages return a session',
  'sessions/schema.ts': 'a route of tasks returns a session',
  'tasks/status.ts': 'the statuses that tools of agents name',
};

/** Files that may name types of any floor, and of HTTP, each with its reason. */
export const NAMES_TYPES: Readonly<Record<string, string>> = {
  'core/context.ts': 'says what services are given',
  'features/keys/authenticator.ts': 'implements a type that http/ declares',
  'features/identity/web-sessions/authenticator.ts': 'implements a type that http/ declares',
};

/** SQL belongs in store.ts files, db/ and access/. These contain some too. */
export const CONTAINS_SQL: Readonly<Record<string, string>> = {
  'bus/postgres-bus.ts': 'LISTEN and NOTIFY are all it does',
  'features/memory/visibility.ts': 'conditions that several stores share',
  'features/messages/reactions/in-tables.ts': 'a column that several stores share',
  'features/messages/search/keys.ts': 'keys that several stores share',
};

/** Files of a feature that face the outside: HTTP and MCP. Every other one but a store is a service. */
const ENTRANCE = /^features\/.*(?:routes|\/endpoint|\/mcp-tools|\/mcp-resource)\.ts$/;

const IMPORT = /^(?:import|export)\s+(type\s)?[^;']*?\bfrom '([^']+)'|\bimport\('([^']+)'\)/gm;
const COMMENT = /^\s*(?:\/\/|\/?\*).*$/gm;
const SQL = /\b(?:SELECT|INSERT INTO|DELETE FROM|UPDATE [a-z_]+(?: [a-z]+)? SET)\s/;

interface Import {
  /** From server/src, such as `features/tasks/save.ts`. */
  from: string;
  /** The same, or the name of a package. */
  to: string;
  isType: boolean;
}

/** The files of server/src without tests, by their paths in it. */
export function readSources(): Map<string, string> {
  const folder = join(import.meta.dirname, '../server/src');
  const paths = globSync('**/*.ts', { cwd: folder }).filter((path) => !path.endsWith('.test.ts'));
  return new Map(paths.toSorted().map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** What is wrong with these files. */
export function problemsOf(files: ReadonlyMap<string, string>): string[] {
  const imports = [...files].flatMap(([file, text]) => [...importsOf(file, text)]);
  const doors = createList(DOORS);
  const namesTypes = createList(NAMES_TYPES);
  const containsSql = createList(CONTAINS_SQL);
  const withSql = [...files].filter(([file, text]) => hasMisplacedSql(file, text));
  return [
    ...imports.flatMap((one) => {
      const problems = [...problemsOfFloors(one), ...problemsOfLayers(one)];
      return problems.length > 0 && one.isType && namesTypes.has(one.from) ? [] : problems;
    }),
    ...imports.filter(isDetour).flatMap(({ from, to }) => {
      if (doors.has(to.slice('features/'.length))) return [];
      return [`${from} imports ${to}: go through a service.ts of ${featureOf(to)}`];
    }),
    ...withSql.flatMap(([file]) =>
      containsSql.has(file) ? [] : [`${file} contains SQL: move it to a store.ts`],
    ),
    ...[doors, namesTypes, containsSql].flatMap(({ unused }) => unused()),
    ...problemsOfTheWhole([...files.keys()], imports),
  ];
}

function createList(list: Readonly<Record<string, string>>) {
  const used = new Set<string>();
  return {
    has: (key: string) => Object.hasOwn(list, key) && Boolean(used.add(key)),
    unused: () =>
      Object.keys(list)
        .filter((key) => !used.has(key))
        .map((key) => `${key} is listed in scripts/import-rules.ts, but not needed there`),
  };
}

function* importsOf(from: string, text: string): Generator<Import> {
  for (const [, type, path = '', loaded = ''] of text.matchAll(IMPORT)) {
    const named = path || loaded;
    const to = named.startsWith('.') ? join(dirname(from), named) : named;
    yield { from, to, isType: type !== undefined };
  }
}

function problemsOfFloors(one: Import): string[] {
  const [from, to] = [featureOf(one.from), featureOf(one.to)];
  if (from !== undefined && to !== undefined) return notBelow(one, FEATURES, from, to);
  return notBelow(one, ROOMS, roomOf(one.from), roomOf(one.to));
}

function notBelow(
  { from, to }: Import,
  floors: readonly (readonly string[])[],
  own: string,
  other: string,
): string[] {
  const [start, end] = [floorOf(own, floors), floorOf(other, floors)];
  if (own === other || start === -1 || end < start) return [];
  const where = start === end ? 'on the same floor as' : 'above';
  const remedy = 'emit an event, let app/ pass it in, or move what both need below';
  return [`${from} imports ${to}, but ${other} is ${where} ${own}: ${remedy}`];
}

/** -1 if it has none, as a package. */
function floorOf(name: string, floors: readonly (readonly string[])[]): number {
  return floors.findIndex((floor) => floor.includes(name));
}

/** Entrances call services, services know no entrance, and stores know only the database. */
function problemsOfLayers({ from, to, isType }: Import): string[] {
  if (roomOf(from) !== 'features') return [];
  if (ENTRANCE.test(from)) {
    const isStored = roomOf(to) === 'db' || basename(to) === 'store.ts';
    return isStored && !isType ? [`${from} imports ${to}: call a service instead`] : [];
  }
  if (['http', 'mcp-endpoint', 'fastify'].includes(roomOf(to)) || ENTRANCE.test(to)) {
    return [`${from} imports ${to}: only routes, endpoints and MCP tools know the outside`];
  }
  if (basename(from) === 'store.ts' && basename(to) === 'service.ts') {
    return [`${from} imports ${to}: a store knows only the database`];
  }
  return [];
}

/** Whether a feature reaches another other than through a service. */
function isDetour({ from, to }: Import): boolean {
  return isArrow(from, to) && basename(to) !== 'service.ts';
}

function isArrow(from: string, to: string): boolean {
  const [own, other] = [featureOf(from), featureOf(to)];
  return own !== undefined && other !== undefined && own !== other;
}

function hasMisplacedSql(file: string, text: string): boolean {
  if (basename(file) === 'store.ts' || ['db', 'access'].includes(roomOf(file))) return false;
  return SQL.test(text.replaceAll(COMMENT, ''));
}

function problemsOfTheWhole(paths: readonly string[], imports: readonly Import[]): string[] {
  const arrows = new Set(
    imports
      .filter(({ from, to }) => isArrow(from, to))
      .map(({ from, to }) => `${featureOf(from)} → ${featureOf(to)}`),
  );
  return [
    ...problemsOfNames('room', new Set(paths.map(roomOf)), ROOMS.flat()),
    ...problemsOfNames(
      'feature',
      new Set(paths.flatMap((path) => featureOf(path) ?? [])),
      FEATURES.flat(),
    ),
    ...(arrows.size > MOST_ARROWS
      ? [`features have ${arrows.size} arrows to others, more than ${MOST_ARROWS}`]
      : []),
  ];
}

function problemsOfNames(
  kind: string,
  found: ReadonlySet<string>,
  listed: readonly string[],
): string[] {
  return [
    ...[...found]
      .filter((name) => !listed.includes(name))
      .map((name) => `the ${kind} ${name} has no floor: give it one in scripts/import-rules.ts`),
    ...listed
      .filter((name) => !found.has(name))
      .map((name) => `the ${kind} ${name} has a floor, but does not exist`),
  ];
}

function roomOf(path: string): string {
  return path.split('/')[0] ?? '';
}

function featureOf(path: string): string | undefined {
  const [room, feature] = path.split('/');
  return room === 'features' ? feature : undefined;
}
