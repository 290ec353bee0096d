import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Stretch } from './loop-stretch.ts';

/** What a server that was started with `loop-stretch.ts` has to report since the last time. */
export async function readStretch(child: ChildProcess): Promise<Stretch> {
  child.send('report');
  const [stretch] = (await once(child, 'message')) as [Stretch];
  return stretch;
}
