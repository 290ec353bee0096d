import type { ReactNode } from 'react';
import type { Outbox } from '../composer/outbox.ts';
import type { MessageStore, StoreState } from '../store/message-store.ts';
import type { Row } from './rows.ts';

/** Asked for again with a higher `nth`. */
export interface MessageRequest {
  id: string;
  nth: number;
}

export interface MessageListProps {
  label: string;
  store: MessageStore;
  state: StoreState;
  rows: readonly Row[];
  outbox: Outbox;
  isInThread: boolean;
  /** Scrolls to a message and shows which it is. */
  target: MessageRequest | null;
  /** Puts the focus on a message, as when what was opened from it closes. */
  focusRequest: MessageRequest | null;
  editingId: string | null;
  onEdit: (id: string | null) => void;
  /** Shown above the first message of all. */
  start: ReactNode;
  onBottomChange?: (isAtBottom: boolean) => void;
  onJumpToLatest: () => void;
}
