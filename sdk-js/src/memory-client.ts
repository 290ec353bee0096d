import { Memories } from './namespaces/memories.ts';
import { readSettings, V1, type ClientOptions } from './options.ts';
import { Transport } from './transport.ts';

/**
 * The client of the v1 Memory API, for programs that stand for the org. It takes `sk_live_` keys, and
 * the same base URL as `Atrium`: `/v1` is added to it.
 */
export class AtriumMemory {
  readonly memories: Memories;

  constructor(options: ClientOptions = {}) {
    this.memories = new Memories(new Transport(readSettings(options, V1)));
  }
}
