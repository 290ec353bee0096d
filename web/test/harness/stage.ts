import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { startAtrium, type TestAtrium } from './atrium.ts';
import { openBrowser, sharedBrowser, type PageOptions, type Watched } from './browser.ts';

/** One server per test file. Every page it opens is watched until the test ends. */
export interface Stage {
  atrium: TestAtrium;
  open(options?: PageOptions): Promise<Watched>;
  openAsOwner(options?: PageOptions): Promise<Watched>;
}

interface StageOptions {
  /** Starts what the server needs, and returns its settings. */
  prepare?: () => Promise<Record<string, string>>;
  /** The server starts on an empty folder, as for a new user. */
  isFirstStart?: boolean;
}

export function setStage({ prepare, isFirstStart = false }: StageOptions = {}): Stage {
  let browser: Browser;
  let opened: Watched[] = [];
  const stage: Partial<Stage> & Pick<Stage, 'open' | 'openAsOwner'> = {
    async open(options) {
      const watched = await openBrowser(browser, (stage as Stage).atrium, options);
      opened.push(watched);
      return watched;
    },
    async openAsOwner(options) {
      return stage.open({ ...options, person: await (stage as Stage).atrium.owner() });
    },
  };
  beforeAll(async () => {
    const env = await prepare?.();
    const folder = isFirstStart ? undefined : inject('startedFolder');
    [stage.atrium, browser] = await Promise.all([startAtrium(env, folder), sharedBrowser()]);
  });
  afterEach(async () => {
    const complaints = opened.flatMap((watched) => watched.complaints);
    await Promise.all(opened.map(({ context }) => context.close()));
    opened = [];
    expect(complaints).toEqual([]);
  });
  afterAll(async () => {
    await stage.atrium?.stop();
  });
  return stage as Stage;
}
