import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type FileNode = object;

/** What we use of the engine's own adapter to Node's file system. */
interface NodeAdapter {
  node_ops: {
    mknod: (folder: FileNode, name: string, mode: number, device: number) => FileNode;
    rename: (node: FileNode, folder: FileNode, name: string) => void;
    unlink: (folder: FileNode, name: string) => void;
    rmdir: (folder: FileNode, name: string) => void;
  };
  stream_ops: { fsync?: (stream: { node: FileNode; nfd: number }) => number };
  realPath(node: FileNode): string;
  /** Turns Node's errors into those the engine understands. */
  tryFSOperation<T>(operation: () => T): T;
}

/** The engine's adapter has no `fsync`, and the engine takes its syncs for done. This one does them. */
export class DurableFs extends NodeFS {
  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...args);
    const { preRun = [] } = emscriptenOpts;
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...preRun, addSync] } };
  }
}

/**
 * The engine syncs a new table's file but not the folder that names it, as most file systems save the name
 * with the file. POSIX doesn't promise that, so a sync also saves the names that lead to the file.
 */
function addSync(module: { FS: { filesystems: { NODEFS: unknown } } }): void {
  const adapter = module.FS.filesystems.NODEFS as NodeAdapter;
  const { mknod, rename, unlink, rmdir } = adapter.node_ops;
  /** Folders in which names have changed since they were last synced. */
  const changed = new Set<string>();
  const noteChange = (folder: FileNode) => void changed.add(adapter.realPath(folder));

  Object.assign(adapter.node_ops, {
    mknod(folder, name, mode, device) {
      noteChange(folder);
      return mknod(folder, name, mode, device);
    },
    rename(node, folder, name) {
      changed.add(dirname(adapter.realPath(node)));
      noteChange(folder);
      rename(node, folder, name);
    },
    unlink(folder, name) {
      noteChange(folder);
      unlink(folder, name);
    },
    rmdir(folder, name) {
      noteChange(folder);
      rmdir(folder, name);
    },
  } satisfies NodeAdapter['node_ops']);

  adapter.stream_ops.fsync = ({ node, nfd }) => {
    adapter.tryFSOperation(() => {
      fsyncSync(nfd);
      if (changed.size > 0) syncNames(adapter.realPath(node), changed);
    });
    return 0;
  };
}

/** Syncs the folders above `path` whose names have changed, and forgets the change. */
function syncNames(path: string, changed: Set<string>): void {
  changed.delete(path);
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (!changed.has(folder)) continue;
    const fd = openSync(folder, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    changed.delete(folder);
  }
}
