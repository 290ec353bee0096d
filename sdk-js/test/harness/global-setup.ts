import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { startAtrium } from './server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    server: { origin: string; key: string; orgId: string; userId: string; dataDir: string };
    /** An https address that the server may call, with nothing listening. */
    closedMcpUrl: string;
  }
}

/** Builds the package and starts one server for all test files. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const build = fileURLToPath(new URL('../../scripts/build.ts', import.meta.url));
  const { status } = spawnSync(process.execPath, [build], { stdio: 'inherit' });
  if (status !== 0) throw new Error('sdk-js failed to build');
  const { stop, ...server } = await startAtrium({ MCP_ALLOW_HOSTS: '127.0.0.1:9' });
  project.provide('server', server);
  project.provide('closedMcpUrl', 'https://127.0.0.1:9/mcp');
  return stop;
}
