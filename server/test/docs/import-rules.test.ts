import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FEATURES, problemsOf, ROOMS } from '../../../scripts/import-rules.ts';

/** Without any file, every floor and exception is one too many. */
const unused = problemsOf(new Map());

/** What else is wrong if there is only this file. */
function problemsWith(path: string, text: string): string[] {
  return problemsOf(new Map([[path, text]])).filter((one) => !unused.includes(one));
}

function problemsWithImport(path: string, imported: string): string[] {
  return problemsWith(path, `import { one } from '${imported}';\n`);
}

describe('floors', () => {
  it('features have at most seven', () => {
    expect(FEATURES.length).toBeLessThanOrEqual(7);
  });

  it('docs/ARCHITECTURE.md shows those of rooms, then those of features', () => {
    const page = readFileSync(new URL('../../../docs/ARCHITECTURE.md', import.meta.url), 'utf8');
    const shown = page.split('\n').filter((line) => /^\| \d+ \| [a-z., -]+ \|$/.test(line));
    const rowsOf = (floors: typeof ROOMS) =>
      floors.map((names, nth) => `| ${nth + 1} | ${names.join(', ')} |`).toReversed();
    expect(shown).toEqual([...rowsOf(ROOMS), ...rowsOf(FEATURES)]);
  });

  it('a feature imports from those below, not from those above or beside it', () => {
    expect(problemsWithImport('features/tasks/new.ts', '../messages/service.ts')).toEqual([]);
    expect(problemsWithImport('features/messages/new.ts', '../tasks/service.ts')).toEqual([
      expect.stringContaining('tasks is above messages'),
    ]);
    expect(problemsWithImport('features/tasks/new.ts', '../channels/relay/service.ts')).toEqual([
      expect.stringContaining('channels is on the same floor as tasks'),
    ]);
  });

  it.each([
    ['core/new.ts', '../db/types.ts', 'db is above core'],
    ['db/new.ts', '../http/route.ts', 'http is above db'],
    ['http/new.ts', '../features/tasks/service.ts', 'features is above http'],
    ['features/tasks/new.ts', '../../app/api.ts', 'app is above features'],
    ['bus/new.ts', '../events/list.ts', 'events is on the same floor as bus'],
  ])('so does a room: %s imports %s', (path, imported, problem) => {
    expect(problemsWithImport(path, imported)).toEqual([expect.stringContaining(problem)]);
  });

  it('types and files that are loaded later count too', () => {
    const typeOnly = "import type {\n  One,\n} from '../tasks/service.ts';\n";
    const loaded = "const one = await import('../tasks/service.ts');\n";
    for (const text of [typeOnly, loaded, "export * from '../tasks/service.ts';\n"]) {
      expect(problemsWith('features/messages/new.ts', text)).toHaveLength(1);
    }
  });

  it('a new room or feature needs a floor', () => {
    expect(problemsWith('features/webhooks/service.ts', '')).toEqual([
      expect.stringContaining('the feature webhooks has no floor'),
    ]);
    expect(problemsWith('utils/misc.ts', '')).toEqual([
      expect.stringContaining('the room utils has no floor'),
    ]);
  });

  it('features have a limited number of arrows', () => {
    const all = FEATURES.flat().map((name) => `import { one } from '../${name}/service.ts';`);
    const everywhere = FEATURES.flat().map((name): [string, string] => [
      `features/${name}/new.ts`,
      all.join('\n'),
    ]);
    expect(problemsOf(new Map(everywhere))).toContainEqual(expect.stringContaining('more than 55'));
  });
});

describe('layers of a feature', () => {
  it('another feature is reached through a service, of any depth', () => {
    expect(problemsWithImport('features/tasks/new.ts', '../sessions/unread/service.ts')).toEqual(
      [],
    );
    expect(problemsWithImport('features/tasks/new.ts', '../sessions/policy.ts')).toEqual([
      expect.stringContaining('go through a service.ts of sessions'),
    ]);
  });

  it.each(['routes.ts', 'more-routes.ts', 'endpoint.ts', 'mcp-tools.ts'])(
    '%s knows HTTP, but calls services',
    (name) => {
      const path = `features/tasks/deep/${name}`;
      expect(problemsWithImport(path, '../../../http/route.ts')).toEqual([]);
      expect(problemsWith(path, "import type { Row } from './store.ts';\n")).toEqual([]);
      for (const imported of ['../../../db/rows.ts', '../store.ts']) {
        expect(problemsWithImport(path, imported)).toEqual([
          expect.stringContaining('call a service instead'),
        ]);
      }
    },
  );

  it.each(['service.ts', 'save.ts', 'answer.ts', 'present.ts', 'store.ts'])(
    '%s knows no HTTP',
    (name) => {
      const path = `features/tasks/deep/${name}`;
      const outside = ['fastify', '../../../http/route.ts', '../../../mcp-endpoint/tool.ts'];
      for (const imported of [...outside, '../routes.ts', '../mcp-tools.ts']) {
        expect(problemsWithImport(path, imported)).toEqual([
          expect.stringContaining('only routes, endpoints and MCP tools know the outside'),
        ]);
      }
    },
  );

  it('a store knows no service', () => {
    expect(problemsWithImport('features/tasks/deep/store.ts', '../service.ts')).toEqual([
      expect.stringContaining('a store knows only the database'),
    ]);
  });

  it('SQL is in stores, db/ and access/ only, and a comment may mention it', () => {
    const sql = 'const text = `SELECT t.id\n  FROM tasks t WHERE t.org_id = $1`;\n';
    for (const path of ['features/tasks/deep/store.ts', 'db/new.ts', 'access/new.ts']) {
      expect(problemsWith(path, sql)).toEqual([]);
    }
    for (const path of ['features/tasks/save-all.ts', 'app/new.ts']) {
      expect(problemsWith(path, sql)).toEqual([expect.stringContaining('contains SQL')]);
    }
    expect(problemsWith('app/new.ts', '// SELECT takes long here.\n')).toEqual([]);
  });
});

describe('exceptions', () => {
  it('cover types only', () => {
    const hints = "{ Hints } from '../bus/hints.ts';\n";
    expect(problemsWith('core/context.ts', `import type ${hints}`)).toEqual([]);
    expect(problemsWith('core/context.ts', `import ${hints}`)).toEqual([
      expect.stringContaining('bus is above core'),
    ]);
  });

  it.each(['tasks/status.ts', 'core/context.ts', 'bus/postgres-bus.ts'])(
    '%s must not be listed without need',
    (path) => {
      expect(unused).toContainEqual(expect.stringMatching(`^${path} is listed .* but not needed`));
    },
  );
});
