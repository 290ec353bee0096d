/**
 * Runs npm scripts side by side: those of one argument one after another, those of different arguments at the same
 * time. What a script printed comes when it ends, and all of them run even if one fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

await Promise.all(process.argv.slice(2).map((lane) => runInOrder(lane.split(' '))));

async function runInOrder(scripts: readonly string[]): Promise<void> {
  for (const script of scripts) {
    const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    const printed: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => void printed.push(data));
    }
    const [code] = await once(child, 'close');
    process.stdout.write(Buffer.concat(printed));
    if (code === 0) continue;
    process.stderr.write(`${script} failed.\n`);
    process.exitCode = 1;
  }
}
