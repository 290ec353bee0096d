import { ConfigError } from './config-error.ts';
import { list } from './values.ts';

/** 32 bytes each. The first one seals, and all of them open, so that keys can be rotated. */
export type SecretsKeys = readonly [Buffer, ...Buffer[]];

export function secretsKeys(value: string | undefined): SecretsKeys | undefined {
  if (value === undefined) return undefined;
  // A file has one key per line, as the one in DATA_DIR does.
  const keys = parseSecretsKeys(list(value.replaceAll('\n', ',')));
  if (keys) return keys;
  // The value is not quoted, because it is a secret even with a typo in it.
  throw new ConfigError(
    'SECRETS_KEY',
    'must be 32 bytes as base64 or hex, or a list of such keys; create one with `openssl rand -base64 32`',
  );
}

/** Undefined if there is none, or if one is not 32 bytes. */
export function parseSecretsKeys(texts: readonly string[]): SecretsKeys | undefined {
  const [first, ...others] = texts.map(parseSecretsKey);
  const isWhole = (keys: readonly (Buffer | undefined)[]): keys is Buffer[] =>
    keys.every((key) => key !== undefined);
  return first && isWhole(others) ? [first, ...others] : undefined;
}

/** 32 bytes written as base64 (or base64url) or hex; undefined if it is anything else. */
function parseSecretsKey(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  return /^[\w+/-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}
