import pino from 'pino';
import { expect, vi } from 'vitest';
import { runDoctor } from '../../../src/commands/doctor.ts';
import { readConfig } from '../../../src/config/config.ts';
import type { Finding } from '../../../src/doctor/finding.ts';

/** In passwords that are given, and in secrets that are stored. It is never printed. */
export const CANARY = 'canary-secret-4711';
export const SECRETS_KEY = Buffer.alloc(32, 1);

type Environment = Record<string, string | undefined>;

export async function printDiagnosis(env: Environment, ...args: string[]) {
  let printed = '';
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  try {
    const config = readConfig({ SECRETS_KEY: SECRETS_KEY.toString('base64'), ...env });
    const code = await runDoctor(config, pino({ level: 'silent' }), args);
    expect(printed).not.toContain(CANARY);
    return { code, printed };
  } finally {
    spy.mockRestore();
  }
}

/** What the doctor says, by check. */
export async function diagnose(env: Environment) {
  const { code, printed } = await printDiagnosis(env, '--json');
  const { ok, checks } = JSON.parse(printed) as { ok: boolean; checks: Finding[] };
  expect([ok, code]).toEqual(
    checks.some(({ status }) => status === 'failed') ? [false, 1] : [true, 0],
  );
  for (const { status, advice } of checks) {
    expect(advice !== undefined).toBe(status === 'failed' || status === 'warning');
  }
  return Object.fromEntries(checks.map((found) => [found.check, found]));
}
