import { z } from 'zod';
import type { UploadState } from './storage.ts';

/** How far an upload to S3 is, as it is kept in the database. */
export interface S3Progress {
  /** The service's id for the parts. Undefined as long as there are none. */
  multipartId: string | undefined;
  parts: { etag: string; size: number }[];
  /** What came after the last whole part. It has its own object, because parts can't be read again. */
  tail: { key: string; size: number } | undefined;
}

const step = z.union([
  z.strictObject({ multipartId: z.string() }),
  z.strictObject({ etag: z.string(), size: z.int() }),
  z.strictObject({ tail: z.string(), size: z.int() }),
]);

export function progressOf({ parts }: UploadState): S3Progress {
  const progress: S3Progress = { multipartId: undefined, parts: [], tail: undefined };
  for (const entry of z.array(step).parse(parts)) {
    if ('multipartId' in entry) progress.multipartId = entry.multipartId;
    else if ('etag' in entry) progress.parts.push(entry);
    else progress.tail = { key: entry.tail, size: entry.size };
  }
  return progress;
}

export function stateOf({ multipartId, parts, tail }: S3Progress): UploadState {
  return {
    received: parts.reduce((sum, { size }) => sum + size, tail?.size ?? 0),
    parts: [
      ...(multipartId === undefined ? [] : [{ multipartId }]),
      ...parts,
      ...(tail ? [{ tail: tail.key, size: tail.size }] : []),
    ],
  };
}
