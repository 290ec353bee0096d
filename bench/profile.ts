import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProjectRequest, load } from './load.ts';
import { setStage, startAtrium } from './stage.ts';

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string } }[];
  samples: number[];
  timeDeltas: number[];
}

/** Shows where the server spends its time on idempotent POSTs, by self time. */
export async function profileRequests(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-profile-'));
  const stage = await setStage();
  const atrium = await startAtrium(stage, ['--cpu-prof', `--cpu-prof-dir=${folder}`]);
  try {
    await load(atrium.origin, 6, createProjectRequest('/api/projects', stage.keys));
  } finally {
    await atrium.stop();
    await stage.drop();
  }
  const [file] = await readdir(folder);
  const profile = JSON.parse(await readFile(join(folder, file ?? ''), 'utf8')) as CpuProfile;
  await rm(folder, { recursive: true });
  process.stdout.write('profile of POST /api/projects, self time as a share of busy time:\n');
  for (const [place, share] of shares(profile).slice(0, 18)) {
    process.stdout.write(`  ${(share * 100).toFixed(1).padStart(5)} %  ${place}\n`);
  }
}

function shares(profile: CpuProfile): [string, number][] {
  const places = new Map(profile.nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]));
  const times = new Map<string, number>();
  let busy = 0;
  profile.samples.forEach((id, at) => {
    const place = places.get(id) ?? '?';
    if (place === '(idle)' || place === '(program)') return;
    const time = profile.timeDeltas[at] ?? 0;
    busy += time;
    times.set(place, (times.get(place) ?? 0) + time);
  });
  return [...times]
    .map(([place, time]): [string, number] => [place, time / busy])
    .toSorted(([, a], [, b]) => b - a);
}

function placeOf({ functionName, url }: { functionName: string; url: string }): string {
  if (url === '') return functionName;
  const dependency = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (dependency) return dependency;
  const own = /server\/src\/(.+)$/.exec(url)?.[1];
  return own ?? url.replace(/^node:([^/]+).*/, 'node:$1');
}
