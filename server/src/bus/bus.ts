export type Channel = 'jobs' | 'live' | 'replies' | 'presence';

/** Carries short lines between the parts of this process, and to other processes. Lines may get lost. */
export interface Bus {
  /** Arrives here at once, elsewhere about ten milliseconds later. Never throws or waits: it runs after commits. */
  publish(channel: Channel, line: string): void;
  /** Returns a function that unsubscribes. */
  subscribe(channel: Channel, listener: (line: string) => void): () => void;
  /** Calls the listener when lines from other processes may have been missed. */
  onGap(listener: () => void): () => void;
  /** Sends what is still queued, then closes the connection. */
  close(): Promise<void>;
}
