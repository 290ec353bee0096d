import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

/** An empty folder for the tests of a file or `describe`. Its path exists only in hooks and tests. */
export function useFolder(): { path: string } {
  return folderBetween(beforeAll, afterAll);
}

/** An empty folder for each test. */
export function useNewFolder(): { path: string } {
  return folderBetween(beforeEach, afterEach);
}

type Hook = (run: () => Promise<void>) => void;

function folderBetween(before: Hook, after: Hook): { path: string } {
  const folder = { path: '' };
  before(async () => {
    folder.path = await mkdtemp(join(tmpdir(), 'atrium-test-'));
  });
  after(() => rm(folder.path, { recursive: true, force: true }));
  return folder;
}
