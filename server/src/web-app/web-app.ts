import { setTimeout as sleep } from 'node:timers/promises';
import { builtFolder, buildWebApp, readStamp } from './build.ts';
import { loadWebFiles, type WebFiles } from './files.ts';
import { hashSources, hasSources, ROOT } from './sources.ts';

export type WebAppState =
  | { kind: 'ready'; files: WebFiles }
  | { kind: 'building' }
  /** The log says why. */
  | { kind: 'failed' };

/** The web app, which may still be building while the API is already up. */
export interface WebApp {
  state(): WebAppState;
}

export interface OwnWebApp extends WebApp {
  /** False if it has to be built first. */
  readonly isFresh: boolean;
  /** Whether there is an older build, which is served if building fails. */
  readonly isOld: boolean;
  build(signal: AbortSignal): Promise<void>;
}

/** The app of this checkout. If it is missing or older than its sources, call `build`. */
export async function findOwnWebApp(root = ROOT): Promise<OwnWebApp> {
  const [stamp, sources] = await Promise.all([readStamp(root), hashSources(root)]);
  // An image has the built app only, so there is nothing that it could be older than.
  const isCurrent = stamp === sources || (stamp !== undefined && !hasSources(root));
  const fresh = isCurrent ? await load(root).catch(() => undefined) : undefined;
  const isFresh = fresh !== undefined;
  let state: WebAppState = fresh ?? { kind: 'building' };
  const old = isFresh ? undefined : await loadWebFiles(builtFolder(root)).catch(() => undefined);
  return {
    isFresh,
    isOld: old !== undefined,
    state: () => state,
    async build(signal) {
      try {
        await buildWebApp(root, signal);
        state = await load(root);
      } catch (error) {
        state = old ? { kind: 'ready', files: old } : { kind: 'failed' };
        throw error;
      }
    },
  };
}

/** Another process may replace the folder meanwhile, so the stamp is compared before and after reading. */
async function load(root: string): Promise<WebAppState> {
  for (let tries = 1; ; tries++) {
    const before = await readStamp(root);
    try {
      const files = await loadWebFiles(builtFolder(root));
      if (before !== undefined && before === (await readStamp(root)))
        return { kind: 'ready', files };
    } catch (error) {
      if (tries === 20) throw error;
    }
    await sleep(50);
  }
}
