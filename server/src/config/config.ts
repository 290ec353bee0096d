import { resolve } from 'node:path';
import { ConfigError } from './config-error.ts';
import { embeddings, type EmbeddingsConfig } from './embeddings.ts';
import { rerank, type RerankConfig } from './rerank.ts';
import { mailFrom, smtpUrl, type MailAddress } from './mail.ts';
import { readModels, type ModelConfig } from './models.ts';
import {
  corsOrigins,
  hostName,
  hostPorts,
  publicUrl,
  requireAddress,
  slackOrigin,
  trustProxy,
  type CorsOrigins,
  type TrustProxy,
} from './network.ts';
import { secretsKeys, type SecretsKeys } from './secrets-keys.ts';
import { stripe, type StripeConfig } from './stripe.ts';
import { email, integer, oneOf, redisUrl, serviceUrl } from './values.ts';
import { variablesOf, type Environment } from './variables.ts';

export { ConfigError };

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const POSTGRES = ['postgres:', 'postgresql:'];

const SIGNUPS = ['invite', 'open'] as const;

export interface Config {
  port: number;
  host: string;
  publicUrl: string;
  trustProxy: TrustProxy;
  corsOrigins: CorsOrigins;
  dataDir: string;
  databaseUrl: string | undefined;
  /** Reaches PostgreSQL without the pooler that `databaseUrl` may name. */
  databaseDirectUrl: string | undefined;
  databasePoolMax: number;
  redisUrl: string | undefined;
  smtpUrl: string | undefined;
  mailFrom: MailAddress;
  /** If not set, see adapters/secrets/secrets-key.ts. */
  secretsKeys: SecretsKeys | undefined;
  embeddings: EmbeddingsConfig;
  rerank: RerankConfig;
  models: readonly ModelConfig[];
  /** `host:port` of private MCP servers that may be called anyway. */
  mcpAllowHosts: readonly string[];
  /** `host:port` of private chat servers that may be called anyway. */
  chatAllowHosts: readonly string[];
  /** The origin to call instead of Slack, for tests. */
  slackOrigin: string | undefined;
  /** `address:port` of the DNS servers that the outgoing-call guard uses. */
  dnsServers: readonly string[];
  stripe: StripeConfig;
  isProduction: boolean;
  rateLimitReads: number;
  rateLimitWrites: number;
  /** How many sign-in links, and how many passwords, a client may try in 15 minutes. */
  rateLimitSignIns: number;
  signup: (typeof SIGNUPS)[number];
  firstOwnerEmail: string;
  /** How long entries of the audit log are kept. */
  auditDays: number;
  logLevel: (typeof LOG_LEVELS)[number];
  metricsPort: number | undefined;
}

/** Reads every environment variable, once. */
export function readConfig(env: Environment): Config {
  const variables = variablesOf(env);
  const { read, readSecret } = variables;
  const port = integer('PORT', read('PORT'), 3000, 0, 65_535);
  return {
    port,
    host: hostName('HOST', read('HOST') ?? '127.0.0.1'),
    publicUrl: publicUrl(read('PUBLIC_URL') ?? `http://127.0.0.1:${port}`),
    trustProxy: trustProxy(read('TRUST_PROXY')),
    corsOrigins: corsOrigins(read('CORS_ORIGINS')),
    dataDir: resolve(read('DATA_DIR') ?? './data'),
    databaseUrl: serviceUrl('DATABASE_URL', readSecret('DATABASE_URL'), POSTGRES),
    databaseDirectUrl: serviceUrl(
      'DATABASE_DIRECT_URL',
      readSecret('DATABASE_DIRECT_URL'),
      POSTGRES,
    ),
    databasePoolMax: integer('DATABASE_POOL_MAX', read('DATABASE_POOL_MAX'), 10, 1, 1000),
    redisUrl: redisUrl('REDIS_URL', readSecret('REDIS_URL')),
    smtpUrl: smtpUrl(readSecret('SMTP_URL')),
    mailFrom: mailFrom(read('MAIL_FROM') ?? 'Atrium <atrium@localhost>'),
    secretsKeys: secretsKeys(readSecret('SECRETS_KEY')),
    embeddings: embeddings(variables),
    rerank: rerank(variables),
    models: readModels(env),
    mcpAllowHosts: hostPorts('MCP_ALLOW_HOSTS', read('MCP_ALLOW_HOSTS'), 443),
    chatAllowHosts: hostPorts('CHAT_ALLOW_HOSTS', read('CHAT_ALLOW_HOSTS'), 443),
    slackOrigin: slackOrigin(read('SLACK_API_BASE')),
    dnsServers: hostPorts('DNS_SERVERS', read('DNS_SERVERS'), 53).map(requireAddress),
    stripe: stripe(variables),
    isProduction: read('NODE_ENV') === 'production',
    rateLimitReads: integer('RATE_LIMIT_READS', read('RATE_LIMIT_READS'), 60, 1, 1_000_000),
    rateLimitWrites: integer('RATE_LIMIT_WRITES', read('RATE_LIMIT_WRITES'), 20, 1, 1_000_000),
    rateLimitSignIns: integer('RATE_LIMIT_SIGN_INS', read('RATE_LIMIT_SIGN_INS'), 20, 1, 1_000_000),
    signup: oneOf('SIGNUP', read('SIGNUP') ?? 'invite', SIGNUPS),
    firstOwnerEmail: email('FIRST_OWNER_EMAIL', read('FIRST_OWNER_EMAIL') ?? 'owner@localhost'),
    auditDays: integer('AUDIT_DAYS', read('AUDIT_DAYS'), 400, 1, 36_500),
    logLevel: oneOf('LOG_LEVEL', read('LOG_LEVEL') ?? 'info', LOG_LEVELS),
    metricsPort: read('METRICS_PORT')
      ? integer('METRICS_PORT', read('METRICS_PORT'), 0, 0, 65_535)
      : undefined,
  };
}
