/** A file that is made while it is sent. */
export interface Download {
  fileName: string;
  /** `goOn` rejects once the caller has gone or may no longer read; it is asked before each piece of work. */
  read(goOn: () => Promise<void>): AsyncIterable<Uint8Array>;
  /** Called once, whether the file was sent or not. A whole file ends after it. */
  close(): Promise<void>;
}
