import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { checkDataFolder } from '../doctor/data-folder.ts';
import { checkDatabase } from '../doctor/database.ts';
import { checkScanner, checkStorage } from '../doctor/files.ts';
import type { Finding, Found } from '../doctor/finding.ts';
import { checkMail, checkPublicUrl, checkRedis } from '../doctor/services.ts';
import { refuseUnknown } from './usage.ts';

/** Checks everything that the configuration names, and says what to do. Returns the exit code. */
export async function runDoctor(config: Config, log: Logger, args: string[]): Promise<number> {
  refuseUnknown('doctor', args, ['--json']);
  const named = async (check: string, found: Promise<Found>): Promise<Finding[]> => [
    { check, ...(await found) },
  ];
  const findings = await Promise.all([
    checkDatabase(config, log),
    named('redis', checkRedis(config)),
    named('email', checkMail(config)),
    named('public URL', checkPublicUrl(config)),
    named('data folder', checkDataFolder(config)),
    named('files', checkStorage(config)),
    named('scanner', checkScanner(config)),
  ]);
  const checks = findings.flat();
  const isOk = checks.every(({ status }) => status !== 'failed');
  const text = args.includes('--json')
    ? JSON.stringify({ ok: isOk, checks })
    : checks.map(asLines).join('\n');
  process.stdout.write(`${text}\n`);
  return isOk ? 0 : 1;
}

const WIDTHS = { status: 9, check: 13 };

function asLines({ check, status, message, advice }: Finding): string {
  const label = status.padEnd(WIDTHS.status) + check.padEnd(WIDTHS.check);
  const next = advice === undefined ? '' : `\n${' '.repeat(label.length)}${advice}`;
  return `${label}${message}${next}`;
}
