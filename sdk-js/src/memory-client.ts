import { Memory } from './namespaces/memory.ts';
import { readSettings, V1, type ClientOptions } from './options.ts';
import { Transport } from './transport.ts';

/**
 * A client for the v1 Memory API, for programs that act for the whole organisation. It takes
 * `sk_live_` keys and the same base URL as `Atrium`, to which it adds `/v1`.
 */
export class AtriumMemory {
  readonly memories: Memory;

  constructor(options: ClientOptions = {}) {
    this.memories = new Memory(new Transport(readSettings(options, V1)), '/memories', 'id');
  }
}
