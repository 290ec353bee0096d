import { describe } from 'vitest';
import { createS3Storage } from '../../src/adapters/storage/s3-storage.ts';
import { S3_PROGRAM, startS3Server } from '../harness/outside/s3-server.ts';
import { useStarted } from '../harness/processes/use-started.ts';
import { backsUpFiles } from './backup-of-files.ts';

describe.skipIf(S3_PROGRAM === undefined)('a backup with files on an S3 service', () => {
  const s3 = useStarted(startS3Server, (started) => started.close());
  backsUpFiles((name) => createS3Storage({ ...s3.config, prefix: `${name}/` }));
});
