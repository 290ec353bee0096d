/** A line of the log for a person at a terminal; the JSON has all of it too. */
export function formatLogLine(json: string): string {
  const { level, time, msg, pid: _, method, route, status, err, ...fields } = JSON.parse(json);
  const clock = new Date(time).toISOString().slice(11, 23);
  const request = method && `${method} ${route} ${status}`;
  const details = Object.entries(fields).map(([name, value]) => `${name}=${shown(value)}`);
  const line = [clock, LEVELS[level] ?? level, msg ?? request ?? '', ...details].join(' ');
  return `${withoutControls(line)}\n${err ? stackOf(err) : ''}`;
}

const LEVELS: Record<number, string> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO ',
  40: 'WARN ',
  50: 'ERROR',
  60: 'FATAL',
};

interface LoggedError {
  message: string;
  stack?: string;
  cause?: LoggedError;
}

function stackOf({ message, stack, cause }: LoggedError): string {
  const lines = (stack ?? message).split('\n').map((line) => `    ${withoutControls(line)}\n`);
  return lines.join('') + (cause ? `  caused by\n${stackOf(cause)}` : '');
}

function shown(value: unknown): string {
  const isWord = typeof value === 'string' && /^[^\s"=]+$/.test(value);
  return isWord ? value : JSON.stringify(value);
}

/** What a caller sent must not be able to move the cursor or rewrite earlier lines. */
function withoutControls(text: string): string {
  return text.replaceAll(
    /\p{C}/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  );
}
