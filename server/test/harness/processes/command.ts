import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const MAIN = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command as people do, in its own process; `under` another program, if that is given. */
export function startCommand(
  args: string[],
  env: Record<string, string>,
  under: string[] = [],
): { child: ChildProcessWithoutNullStreams; finished: Promise<Finished> } {
  const [file = '', ...rest] = [...under, process.execPath, MAIN, ...args];
  const child = spawn(file, rest, { env });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (data: Buffer) => (output.stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output.stderr += data.toString()));
  const finished = new Promise<Finished>((resolve) => {
    child.on('close', (code) => resolve({ code, ...output }));
  });
  return { child, finished };
}

/** Resolves with the output once it matches, which shows that the server has started. */
export function printed(
  child: ChildProcessWithoutNullStreams,
  pattern: RegExp,
): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = '';
    const look = (data: Buffer) => {
      text += data.toString();
      const match = pattern.exec(text);
      if (match) resolve(match);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.on('close', () => reject(new Error(`ended without printing ${pattern}: ${text}`)));
  });
}
