import { isatty } from 'node:tty';
import pino, { type DestinationStream, type Logger } from 'pino';
import { formatLogLine } from './readable-log.ts';

const FLUSH_EVERY_MS = 200;
const BUFFER_BYTES = 4096;

/** Logs go to stderr, as JSON unless a person reads along; stdout is for the output of commands. */
export function createLogger(level: string, destination: DestinationStream = stderr()): Logger {
  const options = { level, base: { pid: process.pid }, serializers: { err: describeError } };
  return pino(options, destination);
}

const STDERR = 2;

function stderr(): DestinationStream {
  return isatty(STDERR) ? terminal() : buffered();
}

function terminal(): DestinationStream {
  const stream = pino.destination({ dest: STDERR, sync: true });
  return { write: (line) => stream.write(formatLogLine(line)) };
}

/** Buffers lines: a system call for each would take an eighth of the time of a GET. */
function buffered(): DestinationStream {
  const stream = pino.destination({ dest: STDERR, sync: true, minLength: BUFFER_BYTES });
  setInterval(() => stream.flush(), FLUSH_EVERY_MS).unref();
  process.on('exit', () => stream.flushSync());
  return stream;
}

/** Only these fields: a database error's `detail` quotes the row, and other errors may quote anything. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack } = error;
  const code = 'code' in error ? error.code : undefined;
  const cause = error.cause === undefined ? undefined : describeError(error.cause);
  return { type: name, message, code, stack, cause };
}
