import type { Outbox } from '../composer/outbox.ts';
import type { MessageStore, StoreState } from '../store/message-store.ts';
import type { Row } from './rows.ts';

/** A repeated request has a higher `nth`. */
export interface MessageRequest {
  id: string;
  nth: number;
}

export interface Seen {
  messageId: string | null;
  /** True if nothing newer is below it. */
  isNewest: boolean;
}

export interface MessageListProps {
  store: MessageStore;
  state: StoreState;
  rows: readonly Row[];
  outbox: Outbox;
  isInThread: boolean;
  /** Scrolls to a message and highlights it. */
  target: MessageRequest | null;
  /** Focuses a message, for example when a dialog opened from it closes. */
  focusRequest: MessageRequest | null;
  editingId: string | null;
  onEdit: (id: string | null) => void;
  /** The message to start at, if nothing else is linked to. Without it, the list starts at its end. */
  startAt: string | null;
  /** Called with the newest message on screen. */
  onSeen: (seen: Seen) => void;
  onJumpToLatest: () => void;
}
