import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, resolve } from 'node:path';

/** A file or a folder, whatever its name is. */
export type Inode = number;

/** In the order in which the process asked for them. */
export type DiskEvent =
  | { kind: 'write'; inode: Inode; offset: number; data: Buffer }
  | { kind: 'truncate'; inode: Inode; size: number }
  /** Names that appear, with what they name, and names that vanish: all of them, or none. */
  | { kind: 'names'; changes: { folder: Inode; name: string; inode: Inode | undefined }[] }
  /** What was asked of this file or folder before event `upTo` is on disk. */
  | { kind: 'sync'; inode: Inode; upTo: number }
  | { kind: 'note'; text: string };

export interface Recording {
  events: readonly DiskEvent[];
  folders: ReadonlySet<Inode>;
}

export const ROOT: Inode = 0;

/** Records what this process does to files below `root`, an empty folder, by wrapping Node's functions. */
export class Recorder implements Recording {
  readonly events: DiskEvent[] = [];
  readonly folders = new Set<Inode>([ROOT]);
  private readonly root: string;
  private readonly inodes: Map<string, Inode>;
  private readonly open = new Map<number, Inode>();
  private nextInode = ROOT + 1;
  private readonly originals = new Map<string, unknown>();
  private readonly originalPromises = { ...fs.promises };
  private isNested = false;

  constructor(root: string) {
    this.root = resolve(root);
    this.inodes = new Map([[this.root, ROOT]]);
    this.wrapSync();
    this.wrapPromises();
    syncBuiltinESMExports();
  }

  note(text: string): void {
    this.events.push({ kind: 'note', text });
  }

  stop(): void {
    Object.assign(fs, Object.fromEntries(this.originals));
    Object.assign(fs.promises, this.originalPromises);
    syncBuiltinESMExports();
  }

  private wrapSync(): void {
    this.after('openSync', (fd, path, flags) => this.opened(fd as number, path, flags));
    this.after('closeSync', (_, fd) => void this.open.delete(fd as number));
    this.after('writeSync', (written, fd, bytes, from, _length, position) => {
      const start = from as number;
      const data = Buffer.from((bytes as Uint8Array).slice(start, start + (written as number)));
      this.write(this.open.get(fd as number), position as number, data);
    });
    this.after('writeFileSync', (_, path, data) => {
      if (this.find(path) === undefined) this.create(path, false);
      else this.truncate(this.find(path), 0);
      this.write(this.find(path), 0, Buffer.from(data as Uint8Array));
    });
    this.after('ftruncateSync', (_, fd, size) => this.truncate(this.open.get(fd as number), size));
    this.after('truncateSync', (_, path, size) => this.truncate(this.find(path), size));
    this.after('renameSync', (_, from, to) => this.rename(from, to));
    this.after('unlinkSync', (_, path) => this.remove(path));
    this.after('rmdirSync', (_, path) => this.remove(path));
    this.after('mkdirSync', (_, path) => this.create(path, true));
    this.after('fsyncSync', (_, fd) => this.sync(this.open.get(fd as number), this.events.length));
    for (const name of [
      'fdatasyncSync',
      'appendFileSync',
      'copyFileSync',
      'linkSync',
      'writevSync',
    ])
      this.after(name as 'linkSync', () => {
        throw new Error(`${name} is not recorded`);
      });
  }

  /** Node implements some of these functions with others of them; only the outer call is recorded. */
  private after(
    name: keyof typeof fs,
    record: (result: unknown, ...args: unknown[]) => void,
  ): void {
    const original = fs[name] as (...args: unknown[]) => unknown;
    this.originals.set(name, original);
    const wrapped = (...args: unknown[]) => {
      if (this.isNested) return original(...args);
      this.isNested = true;
      try {
        const result = original(...args);
        record(result, ...args);
        return result;
      } finally {
        this.isNested = false;
      }
    };
    Object.assign(fs, { [name]: wrapped });
  }

  private wrapPromises(): void {
    const { promises } = fs;
    const original = this.originalPromises;
    promises.open = async (...args) => {
      const handle = await original.open(...args);
      this.opened(handle.fd, args[0], args[1]);
      return this.wrapHandle(handle);
    };
    promises.rename = async (from, to) => {
      await original.rename(from, to);
      this.rename(from, to);
    };
    promises.link = async (from, to) => {
      await original.link(from, to);
      this.name(to, this.find(from));
    };
    promises.rm = async (path, options) => {
      await original.rm(path, options);
      this.remove(path);
    };
    promises.mkdir = (async (path: string, options: fs.MakeDirectoryOptions) => {
      const first = await original.mkdir(path, options);
      this.createFolders(path);
      return first;
    }) as typeof promises.mkdir;
  }

  private wrapHandle(handle: fs.promises.FileHandle): fs.promises.FileHandle {
    const { fd } = handle;
    const [writeFile, write, writev, truncate, sync, datasync, close] = [
      handle.writeFile.bind(handle),
      handle.write.bind(handle) as (...args: unknown[]) => Promise<{ bytesWritten: number }>,
      handle.writev.bind(handle) as (...args: unknown[]) => Promise<{ bytesWritten: number }>,
      handle.truncate.bind(handle),
      handle.sync.bind(handle),
      handle.datasync.bind(handle),
      handle.close.bind(handle),
    ];
    const synced = (work: () => Promise<void>) => async () => {
      const upTo = this.events.length;
      await work();
      this.sync(this.open.get(fd), upTo);
    };
    handle.writeFile = async (data, options) => {
      this.write(this.open.get(fd), 0, Buffer.from(data as Uint8Array));
      await writeFile(data, options);
    };
    handle.write = (async (...args: [Uint8Array, number, number, number]) => {
      const [bytes, from, length, position] = args;
      this.write(this.open.get(fd), position, Buffer.from(bytes.slice(from, from + length)));
      return write(...args);
    }) as typeof handle.write;
    handle.writev = (async (...args: [Uint8Array[], number]) => {
      const [pieces, position] = args;
      this.write(this.open.get(fd), position, Buffer.concat(pieces));
      return writev(...args);
    }) as typeof handle.writev;
    handle.truncate = async (size) => {
      this.truncate(this.open.get(fd), size);
      await truncate(size);
    };
    handle.sync = synced(sync);
    handle.datasync = synced(datasync);
    handle.close = async () => {
      this.open.delete(fd);
      await close();
    };
    return handle;
  }

  private opened(fd: number, path: unknown, flags: unknown): void {
    const isNew = this.find(path) === undefined;
    if (isNew) this.create(path, false);
    const inode = this.find(path);
    if (inode === undefined) return;
    this.open.set(fd, inode);
    const empties = typeof flags === 'number' && (flags & fs.constants.O_TRUNC) !== 0;
    if (empties && !isNew) this.truncate(inode, 0);
  }

  private write(inode: Inode | undefined, offset: number, data: Buffer): void {
    if (inode === undefined || data.length === 0) return;
    this.events.push({ kind: 'write', inode, offset, data });
  }

  private truncate(inode: Inode | undefined, size: unknown): void {
    if (inode === undefined) return;
    this.events.push({ kind: 'truncate', inode, size: Number(size ?? 0) });
  }

  private sync(inode: Inode | undefined, upTo: number): void {
    if (inode !== undefined) this.events.push({ kind: 'sync', inode, upTo });
  }

  private createFolders(path: string): void {
    if (!this.isBelow(path) || this.find(path) !== undefined) return;
    this.createFolders(dirname(path));
    this.create(path, true);
  }

  private create(path: unknown, isFolder: boolean): void {
    if (!this.isBelow(path)) return;
    const inode = this.nextInode++;
    if (isFolder) this.folders.add(inode);
    this.name(path, inode);
  }

  private name(path: unknown, inode: Inode | undefined): void {
    if (!this.isBelow(path) || inode === undefined) return;
    this.inodes.set(resolve(path), inode);
    this.events.push({ kind: 'names', changes: [this.entry(path, inode)] });
  }

  private remove(path: unknown): void {
    if (!this.isBelow(path) || this.find(path) === undefined) return;
    for (const [known] of this.treeOf(path)) this.inodes.delete(known);
    this.events.push({ kind: 'names', changes: [this.entry(path, undefined)] });
  }

  private rename(from: unknown, to: unknown): void {
    if (!this.isBelow(from) || !this.isBelow(to)) return;
    const [source, target] = [resolve(from), resolve(to)];
    const moved = this.treeOf(from);
    for (const [known] of moved) this.inodes.delete(known);
    for (const [known, inode] of moved) this.inodes.set(target + known.slice(source.length), inode);
    const changes = [this.entry(from, undefined), this.entry(to, this.find(to))];
    this.events.push({ kind: 'names', changes });
  }

  private entry(path: string, inode: Inode | undefined) {
    const folder = this.find(dirname(resolve(path)));
    if (folder === undefined) throw new Error(`${path} is in an unknown folder`);
    return { folder, name: basename(path), inode };
  }

  private treeOf(path: string): [path: string, inode: Inode][] {
    const top = resolve(path);
    return [...this.inodes].filter(([known]) => `${known}/`.startsWith(`${top}/`));
  }

  private find(path: unknown): Inode | undefined {
    return typeof path === 'string' ? this.inodes.get(resolve(path)) : undefined;
  }

  private isBelow(path: unknown): path is string {
    return typeof path === 'string' && resolve(path).startsWith(`${this.root}/`);
  }
}
