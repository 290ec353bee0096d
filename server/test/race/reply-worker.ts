import { work } from '../../src/commands/serve.ts';
import { readConfig } from '../../src/config/config.ts';
import { createLogger } from '../../src/core/logger.ts';

/**
 * The worker as `atrium worker` runs it, with leases of half the length, for tests that kill many of them. They
 * are still longer than the time between two kills, so that what was killed is always waited for.
 */
const config = readConfig(process.env);
await work(config, createLogger(config.logLevel), {
  leaseMs: 7_500,
  renewEveryMs: 2_500,
  pollEveryMs: 1_500,
});
