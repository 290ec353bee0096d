import type { ChatProvider } from '../../adapters/chat/provider.ts';
import type { Context, SystemActor } from '../../core/context.ts';
import type { ConnectionRow } from './connections/store.ts';
import type { createPeople } from './inbox/known-people.ts';

/** What the process that serves a connection works with. */
export interface ChannelContext extends Context<SystemActor> {
  connection: ConnectionRow;
  provider: ChatProvider;
  people: ReturnType<typeof createPeople>;
  /** After a failure. Each further one in a row doubles it. */
  firstPauseMs: number;
  /** For one call to the chat system. Throws if this process no longer serves the connection for sure. */
  callSignal(): AbortSignal;
  /** Aborted when this process stops serving the connection. */
  signal: AbortSignal;
}
