import { hash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killAll, spawnNode, spawnProgram, type Spawned } from './processes.ts';

const CONTENDERS = 10;
const ROUNDS = 40;

let folder: string;
let contenders: Spawned[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-lock-'));
  contenders = Array.from({ length: CONTENDERS }, () => spawnNode('./lock-contender.ts', [folder]));
  await Promise.all(contenders.map((contender) => contender.waitForLine(/^ready$/)));
});
afterAll(async () => {
  await killAll();
  await rm(folder, { recursive: true });
});

/** What a killed process leaves behind, with a pid that a later process has now. */
async function leaveStale(file: string): Promise<string> {
  const holder = { pid: process.pid, startTime: '1', bootId: 'earlier', nonce: randomUUID() };
  const content = JSON.stringify(holder);
  await writeFile(join(folder, file), content);
  return content;
}

/** All try at once; returns each one's result. */
async function race(): Promise<string[]> {
  const outcomes = await tellAll('lock', /^(locked|refused|failed)/);
  await tellAll('unlock', /^unlocked$/);
  return outcomes;
}

async function tellAll(line: string, answer: RegExp): Promise<string[]> {
  const answers = contenders.map((contender) => contender.waitForNextLine(answer));
  for (const contender of contenders) contender.tell(line);
  return Promise.all(answers);
}

const oneOfThem = ['locked', ...Array.from({ length: CONTENDERS - 1 }, () => 'refused')];

describe('ten processes competing for one folder lock', () => {
  it('one gets it, if it is free', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      expect((await race()).toSorted()).toEqual(oneOfThem);
    }
  });

  it('one gets it, if a killed process has left it behind', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await leaveStale('lock');
      expect((await race()).toSorted()).toEqual(oneOfThem);
    }
  });

  it('one gets it, if a process was killed while taking over a lock left by another', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const left = await leaveStale('lock');
      await leaveStale(takeoverOf(left));
      expect((await race()).toSorted()).toEqual(oneOfThem);
    }
  });

  it('leave nothing else in the folder', async () => {
    await race();
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('a killed process', () => {
  it('holds nothing, even before its parent has read its exit status', async () => {
    const script = '"$0" "$1" "$2" now & echo "pid $!"; exec sleep 600';
    const module = fileURLToPath(new URL('./lock-contender.ts', import.meta.url));
    const parent = spawnProgram('sh', ['-c', script, process.execPath, module, folder]);
    const [pid] = (await parent.waitForLine(/^pid/)).match(/\d+/) ?? [];
    await parent.waitForLine(/^locked$/);
    expect(await race()).not.toContain('locked');
    process.kill(Number(pid), 'SIGKILL');
    await untilZombie(Number(pid));
    expect((await race()).toSorted()).toEqual(oneOfThem);
  });
});

function takeoverOf(left: string): string {
  return `lock.${hash('sha256', left).slice(0, 32)}`;
}

async function untilZombie(pid: number): Promise<void> {
  while (!/\) Z /.test(await readFile(`/proc/${pid}/stat`, 'utf8'))) await sleep(10);
}
