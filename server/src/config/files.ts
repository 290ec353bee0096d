import { ConfigError } from './config-error.ts';
import { hostPorts } from './network.ts';
import { integer, serviceUrl } from './values.ts';
import type { Variables } from './variables.ts';

const MEBIBYTE = 1024 ** 2;
const GIBIBYTE = 1024 ** 3;

export interface S3Config {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Goes before every key, so that a bucket can hold more than one Atrium. */
  prefix: string;
}

/** Files: how large, where their bytes are, who scans them. */
export function files(variables: Variables) {
  const { read } = variables;
  return {
    maxBytes: integer('FILES_MAX_MB', read('FILES_MAX_MB'), 100, 1, 10_000) * MEBIBYTE,
    /** Of one organisation. */
    quotaBytes: integer('FILES_QUOTA_GB', read('FILES_QUOTA_GB'), 10, 1, 1_000_000) * GIBIBYTE,
    /** If not set, bytes are in a folder of DATA_DIR. */
    s3: s3(variables),
    /** A second origin, which serves nothing but content of files. */
    origin: filesOrigin(read('FILES_ORIGIN'), read('PUBLIC_URL')),
    clamd: clamd(read('CLAMD')),
    ocrLanguages: ocrLanguages(read('OCR_LANGUAGES') ?? 'eng'),
  };
}

function s3({ read, readSecret }: Variables): S3Config | undefined {
  const endpoint = serviceUrl('FILES_S3_ENDPOINT', read('FILES_S3_ENDPOINT'), ['http:', 'https:']);
  const names = {
    bucket: ['FILES_S3_BUCKET', read('FILES_S3_BUCKET')],
    accessKeyId: ['FILES_S3_ACCESS_KEY', readSecret('FILES_S3_ACCESS_KEY')],
    secretAccessKey: ['FILES_S3_SECRET_KEY', readSecret('FILES_S3_SECRET_KEY')],
  } as const;
  const region = read('FILES_S3_REGION') ?? 'us-east-1';
  const prefix = read('FILES_S3_PREFIX') ?? '';
  if (endpoint === undefined) return undefined;
  const required = ([name, value]: readonly [string, string | undefined]): string => {
    if (value !== undefined) return value;
    throw new ConfigError(name, 'is required with FILES_S3_ENDPOINT');
  };
  return {
    endpoint: endpoint.replace(/\/+$/, ''),
    bucket: required(names.bucket),
    region,
    accessKeyId: required(names.accessKeyId),
    secretAccessKey: required(names.secretAccessKey),
    prefix,
  };
}

function filesOrigin(value: string | undefined, publicUrl = ''): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search) {
    throw new ConfigError(
      'FILES_ORIGIN',
      `must be an origin such as https://files.example.com, without a path, not "${value}"`,
    );
  }
  // Cookies know no ports.
  if (URL.canParse(publicUrl) && new URL(publicUrl).hostname === url.hostname) {
    throw new ConfigError('FILES_ORIGIN', 'must have another host name than PUBLIC_URL');
  }
  return url.origin;
}

function clamd(value: string | undefined): { host: string; port: number } | undefined {
  if (value === undefined) return undefined;
  const [entry, ...more] = hostPorts('CLAMD', value, 3310);
  if (entry === undefined || more.length > 0) {
    throw new ConfigError('CLAMD', 'must be one host:port');
  }
  const at = entry.lastIndexOf(':');
  return { host: entry.slice(0, at), port: Number(entry.slice(at + 1)) };
}

function ocrLanguages(value: string): string[] {
  const languages = value.split(/[+,\s]+/).filter(Boolean);
  const isValid =
    languages.length > 0 && languages.every((one) => /^[a-z]{3}(_[a-z]{3,4})?$/i.test(one));
  if (isValid) return languages;
  throw new ConfigError('OCR_LANGUAGES', `must be codes such as eng or eng+deu, not "${value}"`);
}
