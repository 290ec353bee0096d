import { buildWeb } from '../../../server/src/commands/build-web.ts';

/** Builds once for all files, so that the servers they start find a fresh build. */
export default async function setUp(): Promise<void> {
  if (!process.env['TEST_CHROMIUM']) {
    throw new Error('Set TEST_CHROMIUM to the path of a Chromium, as scripts/test-services does.');
  }
  await buildWeb();
}
