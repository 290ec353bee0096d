import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { Recorder, type Recording } from './recorder.ts';
import { runWorkload } from './workload.ts';

/** Runs the workload in `folder` and writes the recording to `file`. */
const [folder = '', file = ''] = process.argv.slice(2);
await mkdir(folder);
const recorder = new Recorder(folder);
await runWorkload(join(folder, 'data'), (text) => recorder.note(text));
recorder.stop();
const { events, folders } = recorder;
await writeFile(file, serialize({ events, folders } satisfies Recording));
