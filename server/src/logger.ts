import pino, { type DestinationStream, type Logger } from 'pino';

const FLUSH_EVERY_MS = 200;
const BUFFER_BYTES = 4096;

/** Logs go to stderr as JSON lines; stdout is for the output of commands. */
export function createLogger(level: string, destination: DestinationStream = stderr()): Logger {
  const options = { level, base: { pid: process.pid }, serializers: { err: describeError } };
  return pino(options, destination);
}

/** Buffers lines: a system call for each would take an eighth of the time of a GET. */
function stderr(): DestinationStream {
  const stream = pino.destination({ dest: 2, sync: true, minLength: BUFFER_BYTES });
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
