import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';

/** Loaded before an import of memories, which would let everything else that a busy machine does go first. */
Object.assign(os, { setPriority: () => {} });
syncBuiltinESMExports();
