/** Looks for malware. Throws if it can't say, which must not count as clean. */
export interface Scanner {
  /** The name of what was found, or null. */
  scan(source: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<string | null>;
  /** Throws if it doesn't answer. */
  check(): Promise<void>;
}
