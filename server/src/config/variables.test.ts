import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useFolder } from '../../test/harness/use-folder.ts';
import { ConfigError, readConfig } from './config.ts';

const CANARY = 'canary-secret-4711';
const KEYS = [1, 2].map((byte) => Buffer.alloc(32, byte));

const folder = useFolder();

function fileWith(content: string): string {
  const file = join(folder.path, 'secret');
  writeFileSync(file, content);
  return file;
}

/** Valid values, with where the configuration has them. */
const SECRETS: [name: string, value: string, others: Record<string, string>][] = [
  ['DATABASE_URL', `postgres://atrium:${CANARY}@db/atrium`, {}],
  ['REDIS_URL', `redis://:${CANARY}@cache`, {}],
  ['SMTP_URL', `smtp://atrium:${CANARY}@mail.example.com`, {}],
  ['SECRETS_KEY', String(KEYS[0]?.toString('base64')), {}],
  ['STRIPE_SECRET_KEY', CANARY, { STRIPE_WEBHOOK_SECRET: 'whsec' }],
  ['STRIPE_WEBHOOK_SECRET', CANARY, { STRIPE_SECRET_KEY: 'sk_test' }],
  ['OPENAI_API_KEY', CANARY, { EMBEDDINGS: 'openai' }],
  ['ANTHROPIC_API_KEY', CANARY, {}],
];

describe.each(SECRETS)('%s_FILE', (name, value, others) => {
  const variable = `${name}_FILE`;
  const problemOf = (env: Record<string, string>) => {
    try {
      readConfig({ ...others, ...env });
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
    return 'none';
  };

  it('is the same as the variable, with or without a line break at the end', () => {
    const expected = readConfig({ ...others, [name]: value });
    for (const end of ['', '\n', '\r\n']) {
      expect(readConfig({ ...others, [variable]: fileWith(value + end) })).toEqual(expected);
    }
    expect(expected).not.toEqual(readConfig({}));
  });

  it('is refused if both are set, if it cannot be read, or if it holds no secret', () => {
    const both = problemOf({ [name]: value, [variable]: fileWith(value) });
    expect(both).toBe(`${variable}: is set together with ${name}; set only one of them`);
    expect(problemOf({ [name]: '', [variable]: fileWith(value) })).toBe('none');
    expect(problemOf({ [variable]: join(folder.path, CANARY) })).toMatch(/_FILE: .*\(ENOENT\)$/);
    expect(problemOf({ [variable]: folder.path })).toMatch(/_FILE: .*\(EISDIR\)$/);
    expect(problemOf({ [variable]: fileWith(' \n') })).toBe(`${variable}: names an empty file`);
    expect(problemOf({ [variable]: '/dev/zero' })).toMatch(/_FILE: .*more than 64 KiB/);
  });

  it('never shows what the file holds, nor a secret that was set in its place', () => {
    for (const file of [
      fileWith(`not ${CANARY} a\nvalid value`),
      CANARY,
      join(folder.path, CANARY),
    ]) {
      expect(problemOf({ [variable]: file })).not.toContain(CANARY);
    }
  });
});

it('SECRETS_KEY_FILE has one key per line, or a list', () => {
  for (const between of ['\n', ',', ',\n']) {
    const file = fileWith(`${KEYS.map((key) => key.toString('base64')).join(between)}\n`);
    expect(readConfig({ SECRETS_KEY_FILE: file }).secretsKeys).toEqual(KEYS);
  }
});

it('a key that MODELS_FILE names may be in a file too', () => {
  const models = join(folder.path, 'models.json');
  const entry = { slug: 'house', provider: 'openai', model: 'm', apiKeyEnv: 'HOUSE_KEY' };
  writeFileSync(models, JSON.stringify([entry]));
  const env = { MODELS_FILE: models, HOUSE_KEY_FILE: fileWith(`${CANARY}\n`) };
  expect(readConfig(env).models).toMatchObject([{ slug: 'house', apiKey: CANARY }]);
});
