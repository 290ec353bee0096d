import type { Logger } from 'pino';
import { findOwnWebApp } from '../web-app/web-app.ts';

/** Looks for the web app before the server listens; building it comes after that. */
export async function prepareWebApp(log: Logger) {
  const app = await findOwnWebApp();
  const stopping = new AbortController();
  let building: Promise<void> | undefined;

  async function build(): Promise<void> {
    const startedAt = performance.now();
    const why = app.isOld ? 'its sources changed' : 'first start only';
    say(`Building the web app (${why}, about 10 s)…`);
    try {
      await app.build(stopping.signal);
      say(`Built the web app in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);
    } catch (error) {
      if (stopping.signal.aborted) return;
      log.error({ err: error }, 'could not build the web app');
      say(app.isOld ? FAILED_WITH_OLD : FAILED);
    }
  }

  return {
    state: () => app.state(),
    /** Builds the app if necessary and prints progress; never throws. */
    start() {
      if (!app.isFresh) building = build();
    },
    async stop() {
      stopping.abort();
      await building;
    },
  };
}

/** The command, for images and installations whose folder is read-only when the server starts. */
export async function buildWeb(): Promise<void> {
  const app = await findOwnWebApp();
  if (!app.isFresh) {
    say('Building the web app…');
    await app.build(new AbortController().signal);
  }
  say('The web app is up to date.');
}

const HINT = 'The log says why. Fix it and restart.';
const FAILED = `Could not build the web app. The API works without it. ${HINT}`;
const FAILED_WITH_OLD = `Could not build the web app. The previous build is served. ${HINT}`;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
