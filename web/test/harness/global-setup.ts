import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { buildWeb } from '../../../server/src/commands/build-web.ts';
import { startAtrium } from './atrium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** What a server leaves behind after its first start. */
    startedFolder: string;
  }
}

/** Builds the app and starts a server for the first time once for all files. Each works on a copy of its folder. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  if (!process.env['TEST_CHROMIUM']) {
    throw new Error('Set TEST_CHROMIUM to the path of a Chromium, as scripts/test-services does.');
  }
  await buildWeb();
  const first = await startAtrium();
  await first.halt();
  project.provide('startedFolder', first.dataDir);
  return () => rm(first.dataDir, { recursive: true, force: true });
}
