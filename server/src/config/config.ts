import { resolve } from 'node:path';
import { ConfigError } from './config-error.ts';
import { embeddings } from './embeddings.ts';
import { files } from './files.ts';
import { rerank } from './rerank.ts';
import { mailFrom, smtpUrl } from './mail.ts';
import { readModels } from './models.ts';
import {
  corsOrigins,
  hostName,
  hostPorts,
  publicUrl,
  requireAddress,
  slackOrigin,
  trustProxy,
} from './network.ts';
import { secretsKeys } from './secrets-keys.ts';
import { stripe } from './stripe.ts';
import { email, integer, oneOf, redisUrl, serviceUrl } from './values.ts';
import { variablesOf, type Environment } from './variables.ts';

export { ConfigError };

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const POSTGRES = ['postgres:', 'postgresql:'];
const SWITCH = ['on', 'off'] as const;
const SIGNUPS = ['invite', 'open'] as const;

export type Config = ReturnType<typeof readConfig>;

/** Reads every environment variable, once. */
export function readConfig(env: Environment) {
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
    /** Reaches PostgreSQL without the pooler that `databaseUrl` may name. */
    databaseDirectUrl: serviceUrl(
      'DATABASE_DIRECT_URL',
      readSecret('DATABASE_DIRECT_URL'),
      POSTGRES,
    ),
    databasePoolMax: integer('DATABASE_POOL_MAX', read('DATABASE_POOL_MAX'), 10, 1, 1000),
    redisUrl: redisUrl('REDIS_URL', readSecret('REDIS_URL')),
    smtpUrl: smtpUrl(readSecret('SMTP_URL')),
    mailFrom: mailFrom(read('MAIL_FROM') ?? 'Atrium <atrium@localhost>'),
    /** If not set, see adapters/secrets/secrets-key.ts. */
    secretsKeys: secretsKeys(readSecret('SECRETS_KEY')),
    embeddings: embeddings(variables),
    rerank: rerank(variables),
    models: readModels(env),
    /** `host:port` of private MCP servers that may be called anyway. */
    mcpAllowHosts: hostPorts('MCP_ALLOW_HOSTS', read('MCP_ALLOW_HOSTS'), 443),
    /** `host:port` of private model servers that OWNERs may add in the browser. */
    modelAllowHosts: hostPorts('MODEL_ALLOW_HOSTS', read('MODEL_ALLOW_HOSTS'), 443),
    /** `host:port` of private chat servers that may be called anyway. */
    chatAllowHosts: hostPorts('CHAT_ALLOW_HOSTS', read('CHAT_ALLOW_HOSTS'), 443),
    /** The origin to call instead of Slack, for tests. */
    slackOrigin: slackOrigin(read('SLACK_API_BASE')),
    /** `address:port` of the DNS servers that the outgoing-call guard uses. */
    dnsServers: hostPorts('DNS_SERVERS', read('DNS_SERVERS'), 53).map(requireAddress),
    /** Whether the server reads pages that people link to. */
    linkPreviews: oneOf('LINK_PREVIEWS', read('LINK_PREVIEWS') ?? 'on', SWITCH) === 'on',
    files: files(variables),
    stripe: stripe(variables),
    isProduction: read('NODE_ENV') === 'production',
    rateLimitReads: integer('RATE_LIMIT_READS', read('RATE_LIMIT_READS'), 60, 1, 1_000_000),
    rateLimitWrites: integer('RATE_LIMIT_WRITES', read('RATE_LIMIT_WRITES'), 20, 1, 1_000_000),
    /** How many sign-in links, and how many passwords, a client may try in 15 minutes. */
    rateLimitSignIns: integer('RATE_LIMIT_SIGN_INS', read('RATE_LIMIT_SIGN_INS'), 20, 1, 1_000_000),
    signup: oneOf('SIGNUP', read('SIGNUP') ?? 'invite', SIGNUPS),
    firstOwnerEmail: email('FIRST_OWNER_EMAIL', read('FIRST_OWNER_EMAIL') ?? 'owner@localhost'),
    /** How long entries of the audit log are kept. */
    auditDays: integer('AUDIT_DAYS', read('AUDIT_DAYS'), 400, 1, 36_500),
    logLevel: oneOf('LOG_LEVEL', read('LOG_LEVEL') ?? 'info', LOG_LEVELS),
    metricsPort: read('METRICS_PORT')
      ? integer('METRICS_PORT', read('METRICS_PORT'), 0, 0, 65_535)
      : undefined,
  };
}
