import { buildWeb } from '../../../server/src/commands/build-web.ts';

/** One build for all files: the servers they start find it fresh. */
export default async function setUp(): Promise<void> {
  if (!process.env['TEST_CHROMIUM']) {
    throw new Error('Set TEST_CHROMIUM to the path of a Chromium; scripts/test-services does.');
  }
  await buildWeb();
}
