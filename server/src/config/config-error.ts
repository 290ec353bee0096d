const MAX_LENGTH = 2_000;

/** An invalid environment variable. The message is one line with its name and what it should be. */
export class ConfigError extends Error {
  constructor(variable: string, problem: string) {
    // It may quote a value with line breaks in it, or a file that was pasted into the variable.
    const line = `${variable}: ${problem.replaceAll(/[\p{C}\s]+/gu, ' ')}`;
    super(line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line);
    this.name = 'ConfigError';
  }
}
