import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, type DiskEvent, type Inode, type Recording } from './recorder.ts';

/** What a disk writes as a whole. */
const SECTOR = 512;
const ZEROS = Buffer.alloc(64 * 1024);

type Random = () => number;

/** How much of what was not synced is there after all. */
type Survival = { kind: 'prefix'; before: number } | { kind: 'subset'; share: number };

export type IgnoredSyncs = 'all' | 'of folders';

/** A file as it is found after the cut, or the entries of a folder. */
interface Found {
  bytes: Buffer;
  size: number;
  names: Map<string, Inode>;
}

/**
 * Writes the files as they could be after a power cut just before event `at`: all that was synced, and some
 * of the rest. Unsynced changes may be missing in any combination, and a write may be there in part.
 */
export function restoreDisk(
  recording: Recording,
  { at, ignores }: { at: number; ignores?: IgnoredSyncs },
  random: Random,
  target: string,
): void {
  const events = recording.events.slice(0, at);
  const certain = syncedUpTo(events);
  for (const inode of certain.keys()) {
    if (ignores === 'all' || (ignores && recording.folders.has(inode))) certain.delete(inode);
  }
  const survival = chooseSurvival(at, random);
  const found = new Map<Inode, Found>();
  const get = (inode: Inode): Found => {
    const known = found.get(inode) ?? { bytes: Buffer.alloc(0), size: 0, names: new Map() };
    found.set(inode, known);
    return known;
  };
  for (const [index, event] of events.entries()) {
    const isCertain = (inode: Inode) => index < (certain.get(inode) ?? 0);
    const survives = () =>
      survival.kind === 'prefix' ? index < survival.before : random() < survival.share;
    if (event.kind === 'write') {
      if (isCertain(event.inode)) writeAll(get(event.inode), event);
      else if (survival.kind === 'subset' && random() < 0.5)
        writeTorn(get(event.inode), event, random);
      else if (survives()) writeAll(get(event.inode), event);
    } else if (event.kind === 'truncate') {
      if (isCertain(event.inode) || survives()) truncate(get(event.inode), event.size);
    } else if (event.kind === 'names') {
      if (!event.changes.some(({ folder }) => isCertain(folder)) && !survives()) continue;
      for (const { folder, name, inode } of event.changes) {
        if (inode === undefined) get(folder).names.delete(name);
        else get(folder).names.set(name, inode);
      }
    }
  }
  writeTree(recording, found, ROOT, target);
}

/** For each file and folder, the event before which everything is on disk. */
function syncedUpTo(events: readonly DiskEvent[]): Map<Inode, number> {
  const certain = new Map<Inode, number>();
  for (const event of events) {
    if (event.kind !== 'sync') continue;
    certain.set(event.inode, Math.max(event.upTo, certain.get(event.inode) ?? 0));
  }
  return certain;
}

function chooseSurvival(at: number, random: Random): Survival {
  if (random() < 0.3) return { kind: 'prefix', before: at - Math.floor(random() ** 2 * at) };
  const shares = [0, 0.1, 0.5, 0.9, 1];
  return { kind: 'subset', share: shares[Math.floor(random() * shares.length)] ?? 0 };
}

type Write = Extract<DiskEvent, { kind: 'write' }>;

function writeAll(file: Found, { offset, data }: Write): void {
  put(file, offset, data);
  file.size = Math.max(file.size, offset + data.length);
}

/** Each sector is there or not, and so is the new length. */
function writeTorn(file: Found, { offset, data }: Write, random: Random): void {
  const share = random();
  for (let from = 0; from < data.length;) {
    const to = Math.min(data.length, from + SECTOR - ((offset + from) % SECTOR));
    if (random() < share) put(file, offset + from, data.subarray(from, to));
    from = to;
  }
  if (random() < 0.5) file.size = Math.max(file.size, offset + data.length);
}

function put(file: Found, offset: number, data: Buffer): void {
  const end = offset + data.length;
  if (end > file.bytes.length) {
    const larger = Buffer.alloc(Math.max(end, 2 * file.bytes.length));
    file.bytes.copy(larger);
    file.bytes = larger;
  }
  data.copy(file.bytes, offset);
}

function truncate(file: Found, size: number): void {
  if (size < file.bytes.length) file.bytes.fill(0, size);
  file.size = size;
}

function writeTree(
  recording: Recording,
  found: Map<Inode, Found>,
  inode: Inode,
  path: string,
): void {
  const { bytes, size, names } = found.get(inode) ?? {
    bytes: Buffer.alloc(0),
    size: 0,
    names: new Map<string, Inode>(),
  };
  if (!recording.folders.has(inode)) {
    writeFileSync(path, withoutZeros(bytes.subarray(0, size)), { mode: 0o600 });
    truncateSync(path, size);
    return;
  }
  mkdirSync(path, { mode: 0o700 });
  for (const [name, child] of names) writeTree(recording, found, child, join(path, name));
}

/** Log segments of 16 MB are zeros for the most part; what is cut off here reads as zeros again. */
function withoutZeros(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (
    end > 0 &&
    ZEROS.compare(
      bytes,
      Math.max(0, end - ZEROS.length),
      end,
      ZEROS.length - Math.min(end, ZEROS.length),
    ) === 0
  ) {
    end = Math.max(0, end - ZEROS.length);
  }
  return bytes.subarray(0, end);
}
