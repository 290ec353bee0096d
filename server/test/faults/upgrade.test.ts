import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, it } from 'vitest';
import { LAST_RELEASE } from '../harness/databases/releases.ts';
import { checkOutRelease, type ReleaseFolder } from '../race/release-folder.ts';
import { startInstallation, THIS_VERSION, type Installation } from './installation.ts';
import { restartServer, restartWorker, survive } from './survive.ts';

/** How long the two versions run side by side at each step. */
const TOGETHER_MS = 1_000;

let release: ReleaseFolder;
let atrium: Installation;
beforeAll(async () => {
  release = await checkOutRelease(LAST_RELEASE);
  atrium = await startInstallation(release.main);
});
afterAll(async () => {
  await atrium?.stop();
  await release?.remove();
});

/** The first new process brings the schema with it, while four of the old ones still run. */
it(`nothing is lost or doubled when release ${LAST_RELEASE.version} is replaced, process by process`, () =>
  survive(atrium, async () => {
    atrium.main = THIS_VERSION;
    for (const at of atrium.servers.keys()) {
      await restartServer(atrium, at);
      await sleep(TOGETHER_MS);
    }
    for (const at of atrium.workers.keys()) await restartWorker(atrium, at);
  }));
