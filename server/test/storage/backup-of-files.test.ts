import { join } from 'node:path';
import { describe } from 'vitest';
import { createFolderStorage } from '../../src/adapters/storage/folder-storage.ts';
import { useFolder } from '../harness/use-folder.ts';
import { backsUpFiles } from './backup-of-files.ts';

describe('a backup with files in a folder', () => {
  const folder = useFolder();
  backsUpFiles((name) => createFolderStorage(join(folder.path, name)));
});
