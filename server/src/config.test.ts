import { describe, expect, it } from 'vitest';
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
      rateLimitReads: 60,
      rateLimitWrites: 20,
      firstOwnerEmail: 'owner@localhost',
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
    const { trustProxy } = readConfig({ TRUST_PROXY: '1' });
    expect(typeof trustProxy === 'function' && [trustProxy('x', 0), trustProxy('x', 1)]).toEqual([
      true,
      false,
    ]);
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
    ['RATE_LIMIT_READS', '0'],
    ['RATE_LIMIT_WRITES', '1.5'],
    ['FIRST_OWNER_EMAIL', 'nobody'],
    ['LOG_LEVEL', 'loud'],
    ['METRICS_PORT', 'x'],
  ])('%s=%s stops the start with one line that names it', (name, value) => {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(new RegExp(`^${name}: [^\n]+$`));
  });

  it('does not repeat a password', () => {
    expect(() => readConfig({ DATABASE_URL: 'mysql://root:hunter2@localhost/x' })).toThrow(
      /^(?!.*hunter2)/,
    );
  });
});
