/** Where the bytes of files are: a folder, or an S3-compatible service. Keys are made by the server. */
export interface FileStorage {
  readonly kind: 'folder' | 's3';
  /** Begins an upload. What it returns is kept with the upload and comes back with it. */
  begin(key: string): Promise<string | null>;
  /**
   * Adds what `source` gives after `upload.received`, in constant memory, and returns how far it got: what it counts
   * is durable. `onSaved` is called in between. If the source breaks off, that is no error.
   * The caller sees to it that nobody else appends meanwhile, and that the source gives no more than is missing.
   */
  append(
    upload: StoredUpload,
    source: AsyncIterable<Uint8Array>,
    onSaved: (state: UploadState) => Promise<void>,
  ): Promise<UploadState>;
  /** Makes the uploaded bytes readable under the key, as a whole and durably. It may be repeated. */
  finish(upload: StoredUpload): Promise<void>;
  /** Deletes what was uploaded so far. It may be repeated. */
  abandon(upload: Pick<StoredUpload, 'key' | 'uploadId'>): Promise<void>;
  /** Writes a whole object: durable when it resolves, not there at all if it rejects. */
  write(key: string, source: AsyncIterable<Uint8Array>, size: number): Promise<void>;
  /** `end` is the last byte. Throws StorageMissing. */
  read(key: string, range?: { start: number; end: number }): Promise<AsyncIterable<Uint8Array>>;
  /** Undefined if there is none. */
  sizeOf(key: string): Promise<number | undefined>;
  /** Where the object is on this machine, if it is a file here. Others may only read it. */
  pathOf?(key: string): string;
  /** It may be repeated. */
  delete(key: string): Promise<void>;
  /** The objects there are, finished ones only, in no order. */
  list(): AsyncIterable<{ key: string; size: number; writtenAt: Date }>;
  /** Deletes unfinished uploads that nobody has written to since, and returns how many. Nobody will go on with them. */
  deleteUploadsBefore(time: Date): Promise<number>;
  /** Writes, reads and deletes something. Throws if that fails. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface UploadState {
  received: number;
  /** Of an S3 upload. */
  parts: readonly unknown[];
}

export interface StoredUpload extends UploadState {
  key: string;
  uploadId: string | null;
  /** True if somebody else was writing and may still be: what they write from now on must not count. */
  isTakenOver?: boolean;
}

/** It may work again later. `isFull`: only if somebody makes room. */
export class StorageUnavailable extends Error {
  readonly isFull: boolean;
  constructor(message: string, options: ErrorOptions & { isFull?: boolean } = {}) {
    super(message, options);
    this.name = 'StorageUnavailable';
    this.isFull = options.isFull ?? false;
  }
}

export class StorageMissing extends Error {
  constructor(key: string) {
    super(`the storage has no ${key}`);
    this.name = 'StorageMissing';
  }
}
