import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fullPath, type Route } from '../../src/http/route.ts';
import { ROUTES } from '../../src/app/api.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const METHODS = JSON.parse(readFileSync(`${ROOT}openapi/sdk-methods.json`, 'utf8')) as Record<
  string,
  string
>;

/** Callers look for a file's text, and for words in it, beside the file, though the feature above reads it. */
const NAMESPACES: Record<string, string> = { getFileText: 'files', findInFile: 'files' };

/** The v1 API has one resource, with its own client and page. */
const v2 = ROUTES.filter(({ auth }) => auth !== 'org-key');
const folders = await readFolders();

describe('a feature has one name: folder, OpenAPI tag, SDK namespace and docs page', () => {
  it.each(v2.map((route) => [route.operationId, route] as const))('%s', (operationId, route) => {
    const name = route.tag.toLowerCase();
    expect(folders.get(operationId)).toBe(name);
    expect(METHODS[operationId]?.split('.')[0]).toBe(NAMESPACES[operationId] ?? name);
    const page = `${ROOT}docs/api/${name}.md`;
    expect(existsSync(page), page).toBe(true);
    expect(readFileSync(page, 'utf8')).toContain(`| \`${route.method} ${fullPath(route)}\``);
  });
});

/** Which folder below features/ defines each operation. */
async function readFolders(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const file of globSync(`${ROOT}server/src/features/*/*routes.ts`)) {
    const exported: Record<string, unknown> = await import(file);
    for (const value of Object.values(exported)) {
      if (!Array.isArray(value)) continue;
      for (const { operationId } of value as Route[]) {
        found.set(operationId, basename(dirname(file)));
      }
    }
  }
  return found;
}
