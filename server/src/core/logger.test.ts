import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createLogger } from './logger.ts';
import { formatLogLine } from './readable-log.ts';

/** What the logger makes of one call, as a terminal shows it. */
function shown(log: (logger: ReturnType<typeof createLogger>) => void): string {
  let lines = '';
  log(createLogger('trace', { write: (line) => (lines += formatLogLine(line)) }));
  return lines;
}

const CLOCK = /^\d\d:\d\d:\d\d\.\d{3} /;

describe('a line on a terminal', () => {
  it('has the time, the level, the message and its fields', () => {
    const line = shown((log) =>
      log.warn({ kind: 'mail', attempt: 2, to: 'a b', tags: ['x'] }, 'job failed'),
    );
    expect(line).toMatch(CLOCK);
    expect(line.replace(CLOCK, '')).toBe(
      'WARN  job failed kind=mail attempt=2 to="a b" tags=["x"]\n',
    );
  });

  it('of a request begins with what was asked and how it ended', () => {
    const line = shown((log) =>
      log.info({ requestId: 'r1', method: 'GET', route: '/api/projects', status: 200, ms: 1.5 }),
    );
    expect(line.replace(CLOCK, '')).toBe('INFO  GET /api/projects 200 requestId=r1 ms=1.5\n');
  });

  it('has the stack of an error and of its cause below it', () => {
    const error = new Error('outer', { cause: new TypeError('inner') });
    const [first, ...rest] = shown((log) => log.error({ err: error }, 'broke')).split('\n');
    expect(first?.replace(CLOCK, '')).toBe('ERROR broke');
    expect(rest[0]).toBe('    Error: outer');
    expect(rest.slice(rest.indexOf('  caused by'))[1]).toBe('    TypeError: inner');
  });

  it('passes no control character on: not in the message, a field, a route or a stack', () => {
    const evil = 'a\u001b[2J\r\n\u009bb\u202e';
    const lines = shown((log) => {
      log.info({ [evil]: evil, list: [evil] }, evil);
      log.info({ method: 'GET', route: evil, status: 200 });
      log.error({ err: new Error(evil) }, 'x');
    });
    expect(lines.replaceAll('\n', '')).not.toMatch(/\p{C}/u);
    expect(lines).toContain(String.raw`a\u{1b}[2J`);
  });
});

describe('the log of a process', () => {
  const script = `import { createLogger } from ${JSON.stringify(import.meta.resolve('./logger.ts'))};
    createLogger('info').info({ port: 3000 }, 'listening');`;
  const program = [process.execPath, '--input-type=module', '-e', script];

  it('is JSON if nobody reads along', async () => {
    const [command = '', ...args] = program;
    const line = await text(spawn(command, args).stderr);
    expect(JSON.parse(line)).toMatchObject({ level: 30, port: 3000, msg: 'listening' });
  });

  it('is made of readable lines on a terminal', async () => {
    const quoted = program.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
    const output = await text(spawn('script', ['-qec', quoted, '/dev/null']).stdout);
    expect(output).toMatch(/^\d\d:\d\d:\d\d\.\d{3} INFO {2}listening port=3000\r\n$/);
  });
});
