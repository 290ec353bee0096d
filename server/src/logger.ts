import pino, { type DestinationStream, type Logger } from 'pino';

/** Logs go to stderr as JSON lines; stdout belongs to the person who typed the command. */
export function createLogger(
  level: string,
  destination: DestinationStream = pino.destination(2),
): Logger {
  return pino(
    { level, base: { pid: process.pid }, serializers: { err: describeError } },
    destination,
  );
}

/** Chosen fields only: a database error's `detail` quotes the row, and errors of others may quote anything. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack } = error;
  const code = 'code' in error ? error.code : undefined;
  const cause = error.cause === undefined ? undefined : describeError(error.cause);
  return { type: name, message, code, stack, cause };
}
