/** The bytes of a file that somebody uploaded, or a picture of it. */
export interface FileContent {
  name: string;
  mediaType: string;
  size: number;
  /** Changes with the bytes. */
  etag: string;
  /** True only for what a browser shows and can't run. */
  isInline: boolean;
  /** `end` is the last byte. */
  open(range?: ByteRange): Promise<AsyncIterable<Uint8Array>>;
}

export interface ByteRange {
  start: number;
  end: number;
}

/** It is served under another address. */
export interface Elsewhere {
  location: string;
}
