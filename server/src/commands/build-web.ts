import type { Logger } from 'pino';
import { findOwnWebApp, type WebApp } from '../web-app/web-app.ts';

export interface StartingWebApp extends WebApp {
  /** Builds it where it has to be, with words for who watches; never throws. */
  start(): void;
  stop(): Promise<void>;
}

/** Looks for the web app before the server listens; the slow part comes after that. */
export async function prepareWebApp(log: Logger): Promise<StartingWebApp> {
  const app = await findOwnWebApp();
  const stopping = new AbortController();
  let building: Promise<void> | undefined;

  async function build(): Promise<void> {
    const startedAt = performance.now();
    const why = app.isOld ? 'its sources have changed' : 'first start only';
    say(`Building the web app (${why}, about 10 s)…`);
    try {
      await app.build(stopping.signal);
      say(`The web app is built (${((performance.now() - startedAt) / 1000).toFixed(1)} s).`);
    } catch (error) {
      if (stopping.signal.aborted) return;
      log.error({ err: error }, 'the web app could not be built');
      say(app.isOld ? FAILED_WITH_OLD : FAILED);
    }
  }

  return {
    state: () => app.state(),
    start() {
      if (!app.isFresh) building = build();
    },
    async stop() {
      stopping.abort();
      await building;
    },
  };
}

/** The command: for images and installations whose folder cannot be written to when the server starts. */
export async function buildWeb(): Promise<void> {
  const app = await findOwnWebApp();
  if (!app.isFresh) {
    say('Building the web app…');
    await app.build(new AbortController().signal);
  }
  say('The web app is up to date.');
}

const HINT = 'The log says why. Mend it, then start again.';
const FAILED = `The web app could not be built; the API works without it. ${HINT}`;
const FAILED_WITH_OLD = `The web app could not be built; the one built before is served. ${HINT}`;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
