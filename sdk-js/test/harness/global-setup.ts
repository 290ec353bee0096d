import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { startAtrium } from './server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    server: { origin: string; key: string; orgId: string; userId: string; dataDir: string };
    /** An https address at which nobody listens, and which the server may call. */
    deafMcpUrl: string;
  }
}

/** The built package, as users get it, and one server for all files. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const build = fileURLToPath(new URL('../../scripts/build.ts', import.meta.url));
  const { status } = spawnSync(process.execPath, [build], { stdio: 'inherit' });
  if (status !== 0) throw new Error('sdk-js does not build');
  const { stop, ...server } = await startAtrium({ MCP_ALLOW_HOSTS: '127.0.0.1:9' });
  project.provide('server', server);
  project.provide('deafMcpUrl', 'https://127.0.0.1:9/mcp');
  return stop;
}
