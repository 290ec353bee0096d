import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { startAtrium, type TestAtrium } from './atrium.ts';
import { launch, openBrowser, type PageOptions, type Watched } from './browser.ts';

/** One server and one browser per test file. Every page it opens is watched until the test ends. */
export interface Stage {
  atrium: TestAtrium;
  open(options?: PageOptions): Promise<Watched>;
  openAsOwner(options?: PageOptions): Promise<Watched>;
}

export function setStage(prepare: () => Promise<Record<string, string>> = async () => ({})): Stage {
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
    const env = await prepare();
    [stage.atrium, browser] = await Promise.all([startAtrium(env), launch()]);
  });
  afterEach(async () => {
    const complaints = opened.flatMap((watched) => watched.complaints);
    await Promise.all(opened.map(({ context }) => context.close()));
    opened = [];
    expect(complaints).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await stage.atrium?.stop();
  });
  return stage as Stage;
}
