import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fullPath, scopesOf, type Route } from '../../src/http/route.ts';
import { ROUTES } from '../../src/app/api.ts';
import { createTestOrg } from '../harness/factories.ts';
import { startTestServer, type TestServer } from '../harness/processes/server.ts';

const FOLDER = new URL('../../../docs/api/', import.meta.url);
const PAGES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.md'))
  .map((file) => ({ file, text: readFileSync(new URL(file, FOLDER), 'utf8') }));

const hasShell =
  spawnSync('bash', ['-c', 'curl --fail-with-body --version'], { stdio: 'ignore' }).status === 0;

describe.skipIf(!hasShell)('a page of docs/api runs from top to bottom', () => {
  let server: TestServer;
  const folder = mkdtempSync(join(tmpdir(), 'atrium-docs-'));

  beforeAll(async () => {
    // The usual limits: a page must not use up more than a reader's key has in a minute.
    const env = { RATE_LIMIT_READS: '60', RATE_LIMIT_WRITES: '20', DATA_DIR: folder };
    server = await startTestServer({ env, worker: true });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  it.each(PAGES)('$file', { timeout: 120_000 }, async ({ text }) => {
    const { owner } = await createTestOrg(server.db);
    const script = shellBlocks(text).join('\n');
    expect(script).toContain('curl');
    const { code, output } = await runShell(script, {
      ATRIUM_URL: server.origin,
      ATRIUM_KEY: owner.key,
    });
    expect(code, output).toBe(0);
  });
});

describe('the pages of docs/api', () => {
  it('name every operation once, with its status and scope', () => {
    const rows = PAGES.flatMap(({ text }) => operationRows(text));
    expect(rows.toSorted()).toEqual(ROUTES.map(operationRow).toSorted());
  });

  it('explain every reason they give, in the README', () => {
    const explained = new Set(reasonRows(pageText('README.md')));
    const given = PAGES.flatMap(({ text }) => reasonRows(text));
    expect(given.filter((reason) => !explained.has(reason))).toEqual([]);
  });

  it('are all in the index', () => {
    const others = PAGES.filter(({ file }) => file !== 'README.md');
    const index = pageText('README.md');
    expect(others.filter(({ file }) => !index.includes(`](${file})`))).toEqual([]);
  });
});

function pageText(name: string): string {
  return PAGES.find(({ file }) => file === name)?.text ?? '';
}

function shellBlocks(text: string): string[] {
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
}

/** Not spawnSync, because the server runs in this process. */
function runShell(
  script: string,
  variables: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const env = { PATH: process.env['PATH'] ?? '', ...variables };
  const child = spawn('bash', ['-xeuo', 'pipefail', '-c', script], { env });
  let output = '';
  const keep = (data: Buffer) => (output += data.toString());
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** From a row such as: | `GET /api/keys` * | 200, list | `keys:read` | … | */
function operationRows(text: string): string[] {
  const row = /^\| `([A-Z]+ \/api\/[^`]+)`( \*)? \| (\d{3})[^|]*\| (`[^|]+`|–) \|/gm;
  return [...text.matchAll(row)].map(([, operation = '', star = '', status = '', scopes = '']) =>
    [operation + star, status, scopes].join(' | '),
  );
}

function operationRow(route: Route): string {
  const star = route.extension ? ' *' : '';
  const operation = `${route.method} ${fullPath(route)}${star}`;
  const scopes = scopesOf(route).map((scope) => `\`${scope}\``);
  return [operation, route.status, scopes.join(', ') || '–'].join(' | ');
}

/** From `| 409 | `slug_taken` | …` in a page and `| `slug_taken` | CONFLICT | …` in the README. */
function reasonRows(text: string): string[] {
  const row = /^\| (?:(?:403|409) \| `(\w+)`|`(\w+)` \| (?:FORBIDDEN|CONFLICT)) \|/gm;
  return [...text.matchAll(row)].map(([, inPage, inReadme]) => inPage ?? inReadme ?? '');
}
