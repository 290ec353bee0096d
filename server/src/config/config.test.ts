import { describe, expect, it } from 'vitest';
import { variablesRead } from '../../test/harness/variables-read.ts';
import { ConfigError, readConfig } from './config.ts';

describe('configuration', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://127.0.0.1:3000',
      trustProxy: false,
      corsOrigins: [],
      databaseUrl: undefined,
      databasePoolMax: 10,
      redisUrl: undefined,
      smtpUrl: undefined,
      mailFrom: { name: 'Atrium', address: 'atrium@localhost' },
      secretsKeys: undefined,
      rateLimitReads: 60,
      rateLimitWrites: 20,
      firstOwnerEmail: 'owner@localhost',
      auditDays: 400,
      logLevel: 'info',
      metricsPort: undefined,
    });
    expect(readConfig({ PORT: '', REDIS_URL: ' ' })).toMatchObject({
      port: 3000,
      redisUrl: undefined,
    });
  });

  it('reads what is set', () => {
    const config = readConfig({
      PORT: '8080',
      PUBLIC_URL: 'https://atrium.example.com/',
      CORS_ORIGINS: 'https://a.example.com, http://localhost:5173',
      TRUST_PROXY: 'loopback,10.0.0.0/8',
    });
    expect(config).toMatchObject({
      port: 8080,
      publicUrl: 'https://atrium.example.com',
      corsOrigins: ['https://a.example.com', 'http://localhost:5173'],
      trustProxy: ['loopback', '10.0.0.0/8'],
    });
  });

  it.each([
    ['true', 1],
    ['1', 1],
    ['2', 2],
    ['0', 0],
  ])(
    'TRUST_PROXY=%s trusts the last %i hops, and no address that the client wrote',
    (value, hops) => {
      const { trustProxy } = readConfig({ TRUST_PROXY: value });
      if (typeof trustProxy !== 'function') throw new Error('expected a number of hops');
      expect([0, 1, 2].map((hop) => trustProxy('192.0.2.1', hop))).toEqual(
        [0, 1, 2].map((hop) => hop < hops),
      );
    },
  );

  it('MCP_ALLOW_HOSTS and DNS_SERVERS are lists of host:port, with a default port', () => {
    const { mcpAllowHosts, dnsServers } = readConfig({
      MCP_ALLOW_HOSTS: 'Tools.internal:8443, localhost,[::1]:9000, 10.0.0.7 ,[fd00::1]',
      DNS_SERVERS: '1.1.1.1, [2606:4700::1111]:5353',
    });
    expect(mcpAllowHosts).toEqual([
      'tools.internal:8443',
      'localhost:443',
      '[::1]:9000',
      '10.0.0.7:443',
      '[fd00::1]:443',
    ]);
    expect(dnsServers).toEqual(['1.1.1.1:53', '[2606:4700::1111]:5353']);
    expect(readConfig({})).toMatchObject({ mcpAllowHosts: [], dnsServers: [] });
  });

  it('CHAT_ALLOW_HOSTS is such a list too, and SLACK_API_BASE an origin', () => {
    const env = { CHAT_ALLOW_HOSTS: 'chat.internal', SLACK_API_BASE: 'https://localhost:8443/' };
    expect(readConfig(env)).toMatchObject({
      chatAllowHosts: ['chat.internal:443'],
      slackOrigin: 'https://localhost:8443',
    });
    expect(readConfig({})).toMatchObject({ chatAllowHosts: [], slackOrigin: undefined });
  });

  it.each([
    ['CHAT_ALLOW_HOSTS', 'https://chat.internal'],
    ['SLACK_API_BASE', 'http://localhost:8443'],
    ['SLACK_API_BASE', 'https://localhost/api'],
    ['SLACK_API_BASE', 'localhost'],
    ['MCP_ALLOW_HOSTS', 'https://tools.internal'],
    ['MCP_ALLOW_HOSTS', 'tools.internal/mcp'],
    ['MCP_ALLOW_HOSTS', 'a:1, user@tools.internal:443'],
    ['MCP_ALLOW_HOSTS', 'tools.internal:99999'],
    ['MCP_ALLOW_HOSTS', 'tools.internal:0'],
    ['MCP_ALLOW_HOSTS', 'tools.internal:https'],
    ['MCP_ALLOW_HOSTS', '10.0.0.0/8'],
    ['MCP_ALLOW_HOSTS', '*.internal:443'],
    ['MCP_ALLOW_HOSTS', '::1'],
    ['MCP_ALLOW_HOSTS', 'two words'],
    ['DNS_SERVERS', 'dns.example.com'],
    ['DNS_SERVERS', '1.1.1.1:0'],
    ['DNS_SERVERS', '1.1.1.1;8.8.8.8'],
  ])('%s=%s is refused, and named', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigError);
    expect(() => readConfig({ [name]: value })).toThrow(name);
  });

  it.each([
    'smtp://127.0.0.1:2525',
    'smtp://mail.example.com/',
    'smtps://user%40example.com:p%23ss@mail.example.com:465',
    'smtp://[::1]:25?requireTLS=true',
    'smtp://pöst.example.com',
  ])('SMTP_URL=%s is accepted unchanged', (url) => {
    expect(readConfig({ SMTP_URL: url }).smtpUrl).toBe(url);
  });

  it.each([
    ['atrium@example.com', '', 'atrium@example.com'],
    ['<atrium@example.com>', '', 'atrium@example.com'],
    ['Atrium <atrium@example.com>', 'Atrium', 'atrium@example.com'],
    ['"Büro, Acme" <post@acme.example>\n', 'Büro, Acme', 'post@acme.example'],
  ])('MAIL_FROM=%s has a name and an address', (value, name, address) => {
    expect(readConfig({ MAIL_FROM: value }).mailFrom).toEqual({ name, address });
  });

  it.each([
    [{}, { kind: 'local' }],
    [{ EMBEDDINGS: 'local', OPENAI_API_KEY: 'k' }, { kind: 'local' }],
    [
      { EMBEDDINGS: 'openai', OPENAI_API_KEY: 'k' },
      {
        kind: 'openai',
        baseUrl: 'https://api.openai.com/v1',
        apiKey: 'k',
        model: 'text-embedding-3-small',
        dimensions: 1536,
      },
    ],
    [
      { EMBEDDINGS: 'openai:org/model:v2:768', OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1/' },
      {
        kind: 'openai',
        baseUrl: 'http://127.0.0.1:11434/v1',
        model: 'org/model:v2',
        dimensions: 768,
      },
    ],
  ])('reads the embedding model from %j', (env, embeddings) => {
    expect(readConfig(env).embeddings).toEqual(embeddings);
  });

  it.each([
    [{ EMBEDDINGS: 'none' }, 'EMBEDDINGS: must be local'],
    [{ EMBEDDINGS: 'openai:' }, 'EMBEDDINGS: must be local'],
    [{ EMBEDDINGS: 'openai:model' }, 'EMBEDDINGS: must be local'],
    [{ EMBEDDINGS: 'openai:model:0' }, 'EMBEDDINGS: must be local'],
    [{ EMBEDDINGS: 'openai:model:1537' }, 'EMBEDDINGS: must be local'],
    [{ EMBEDDINGS: 'openais' }, 'EMBEDDINGS: must be local'],
    [{ EMBEDDINGS: 'openai' }, 'EMBEDDINGS: openai needs OPENAI_API_KEY'],
    [{ EMBEDDINGS: 'openai', OPENAI_BASE_URL: 'ftp://x' }, 'OPENAI_BASE_URL: '],
  ])('refuses %j', (env, message) => {
    expect(() => readConfig(env)).toThrow(message);
  });

  it.each([
    [{}, { kind: 'local' }],
    [{ RERANK: 'none' }, { kind: 'none' }],
    [{ RERANK: 'https://a.example/v1/' }, { kind: 'service', url: 'https://a.example/v1/rerank' }],
    [
      { RERANK: 'https://a.example/v2/rerank', RERANK_API_KEY: 'k', RERANK_MODEL: 'm' },
      { kind: 'service', url: 'https://a.example/v2/rerank', apiKey: 'k', model: 'm' },
    ],
  ])('reads who re-ranks from %j', (env, rerank) => {
    expect(readConfig(env).rerank).toEqual(rerank);
  });

  it.each(['service', 'ftp://a.example', ''])(
    'refuses RERANK=%j, or takes it as not set',
    (value) => {
      if (value === '') expect(readConfig({ RERANK: value }).rerank).toEqual({ kind: 'local' });
      else expect(() => readConfig({ RERANK: value })).toThrow('RERANK: ');
    },
  );

  it('reads SECRETS_KEY as base64, base64url or hex', () => {
    const key = Buffer.from(Array.from({ length: 32 }, (_, at) => 255 - at));
    for (const value of [
      key.toString('base64'),
      `${key.toString('base64')}\n`,
      key.toString('base64url'),
      key.toString('hex'),
      key.toString('hex').toUpperCase(),
    ]) {
      expect(readConfig({ SECRETS_KEY: value }).secretsKeys).toEqual([key]);
    }
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', 'abc'],
    ['PORT', '-1'],
    ['HOST', 'a b'],
    ['PUBLIC_URL', 'atrium.example.com'],
    ['PUBLIC_URL', 'https://atrium.example.com/app'],
    ['PUBLIC_URL', 'ftp://atrium.example.com'],
    ['TRUST_PROXY', 'everyone'],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['CORS_ORIGINS', 'https://a.example.com/path'],
    ['CORS_ORIGINS', '*,https://a.example.com'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_POOL_MAX', '0'],
    ['REDIS_URL', 'localhost:6379'],
    ['REDIS_URL', 'redis:cache'],
    ['REDIS_URL', 'redis:///0'],
    ['REDIS_URL', 'redis://:100%@cache'],
    ['REDIS_URL', 'redis://cache/first'],
    ['SMTP_URL', 'mail.example.com'],
    ['SMTP_URL', 'http://mail.example.com'],
    ['SMTP_URL', 'smtp:mail.example.com'],
    ['SMTP_URL', 'smtp://'],
    ['SMTP_URL', 'smtp://user:pa#ss@mail.example.com'],
    ['SMTP_URL', 'smtp://user:12/34@mail.example.com'],
    ['SMTP_URL', 'smtp://user:100%@mail.example.com'],
    ['SMTP_URL', 'smtp://mail.example.com?logger=true'],
    ['MAIL_FROM', 'Atrium'],
    ['MAIL_FROM', 'Atrium <atrium>'],
    ['MAIL_FROM', 'Atrium <a@example.com> <b@example.com>'],
    ['MAIL_FROM', 'a@example.com, b@example.com'],
    ['MAIL_FROM', 'Atrium\r\nBcc: x@example.com <a@example.com>'],
    ['MAIL_FROM', 'Atrium <a@example.com\r\nBcc:x@example.com>'],
    ['SECRETS_KEY', 'short'],
    ['SECRETS_KEY', ','],
    ['SECRETS_KEY', `${'ab'.repeat(32)},short`],
    ['SECRETS_KEY', 'x'.repeat(64)],
    ['SECRETS_KEY', 'ab'.repeat(31)],
    ['RATE_LIMIT_READS', '0'],
    ['RATE_LIMIT_WRITES', '1.5'],
    ['FIRST_OWNER_EMAIL', 'nobody'],
    ['AUDIT_DAYS', '0'],
    ['AUDIT_DAYS', 'for ever'],
    ['LOG_LEVEL', 'loud'],
    ['METRICS_PORT', 'x'],
  ])('%s=%s stops the start with one line that names it', (name, value) => {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(new RegExp(`^${name}: [^\n]+$`));
  });

  const NONSENSE =
    'x|0|-1|1e9|99999999999|true|a\nb|a\0b|🎉|%|%zz|http://|http://[|https://x:99999|http://a b|postgres://%zz@h/x|postgres://h:99999/x|redis://%|smtp://[|/nowhere|/|/dev/zero|[]|[null]|{}|*|,|a,b|[::1|::1|1.2.3.4/33|@|<>|"|openai:|openai::|__proto__|constructor|\ud800'.split(
      '|',
    );
  it.each(variablesRead())(
    '%s: whatever it is set to, it is taken or refused in one line',
    (name) => {
      const others = [
        {},
        { EMBEDDINGS: 'openai', OPENAI_API_KEY: 'k' },
        { RERANK: 'https://a.example' },
        { STRIPE_SECRET_KEY: 'sk_test', STRIPE_WEBHOOK_SECRET: 'whsec' },
      ];
      for (const value of [...NONSENSE, 'a'.repeat(100_000)]) {
        for (const env of others) {
          try {
            readConfig({ ...env, [name]: value });
          } catch (error) {
            expect(error, value).toBeInstanceOf(ConfigError);
            expect((error as Error).message).toMatch(/^[A-Z0-9_]+: [^\p{Cc}\n]{1,2000}$/u);
          }
        }
      }
    },
  );

  it.each([
    ['DATABASE_URL', 'mysql://root:hunter2@localhost/x'],
    ['SMTP_URL', 'http://root:hunter2@localhost'],
    ['SMTP_URL', 'smtp://root:hunter2#@localhost'],
    ['SMTP_URL', 'smtp://root:hunter2@localhost/?x=hunter2'],
    ['SMTP_URL', 'smtp://root:1?hunter2=x@localhost'],
    ['REDIS_URL', 'redis://:hunter2%@cache'],
    ['SECRETS_KEY', 'hunter2'],
    ['SECRETS_KEY', `${'ab'.repeat(32)},hunter2`],
  ])('%s=%s: the line does not repeat the secret', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(/^(?!.*hunter2)/);
  });
});
