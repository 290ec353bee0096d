import { setTimeout as sleep } from 'node:timers/promises';
import { builtFolder, buildWebApp, readStamp } from './build.ts';
import { loadWebFiles, type WebFiles } from './files.ts';
import { hashSources, ROOT } from './sources.ts';

export type WebAppState =
  | { kind: 'ready'; files: WebFiles }
  | { kind: 'building' }
  /** `npm run build -w web`, or the log, says why. */
  | { kind: 'failed' };

/** The web app as it is now: it may still be built while the API already answers. */
export interface WebApp {
  state(): WebAppState;
}

/** An app that was built before, wherever it is. */
export async function openWebApp(folder: string): Promise<WebApp> {
  const files = await loadWebFiles(folder);
  return { state: () => ({ kind: 'ready', files }) };
}

export interface OwnWebApp extends WebApp {
  /** False where it has to be built first. */
  readonly isFresh: boolean;
  /** Whether an older one is there, to be served should the new one not come about. */
  readonly isOld: boolean;
  build(signal: AbortSignal): Promise<void>;
}

/** The app of this checkout. Where it is missing or older than its sources, `build` makes it. */
export async function findOwnWebApp(root = ROOT): Promise<OwnWebApp> {
  const [stamp, sources] = await Promise.all([readStamp(root), hashSources(root)]);
  const fresh = stamp === sources ? await load(root).catch(() => undefined) : undefined;
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

/** Another process may put a new folder in its place meanwhile: then half of what was read is of the old one. */
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
