import type { Message } from '@atrium/sdk';
import type { KeyboardEvent } from 'react';
import type { MessageActions } from '../actions.tsx';
import type { Popup } from '../message/toolbar.tsx';
import type { Row } from './rows.ts';

interface ListKeys {
  rows: readonly Row[];
  actions: MessageActions;
  focus: (id: string) => void;
  setPopup: (id: string, popup: Popup | null) => void;
}

const STEPS: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };

/** Keys on a focused message, but no letters: those go to the composer. Inside it, keys belong to whatever has focus. */
export function handleListKey(event: KeyboardEvent, keys: ListKeys): void {
  const { target, key } = event;
  if (!(target instanceof HTMLElement) || target.dataset['message'] === undefined) return;
  if (event.metaKey || event.ctrlKey || event.altKey) return;
  const messages = keys.rows.flatMap((row) => (row.kind === 'message' ? [row.message] : []));
  const at = messages.findIndex(({ id }) => id === target.dataset['message']);
  const message = messages[at];
  if (!message) return;
  const next = nextMessage(messages, at, key);
  if (next) keys.focus(next.id);
  else if (key === 'Enter') keys.setPopup(message.id, 'actions');
  else if (key === '+' && mayReact(message, keys.actions, target)) {
    keys.setPopup(message.id, 'react');
  } else return;
  event.preventDefault();
}

function nextMessage(messages: readonly Message[], at: number, key: string): Message | undefined {
  if (key === 'Home') return messages[0];
  if (key === 'End') return messages.at(-1);
  const step = STEPS[key];
  return step === undefined ? undefined : messages[Math.max(0, at + step)];
}

/** After a click on a message, what is typed is a message. */
function mayReact(message: Message, { canWrite }: MessageActions, target: HTMLElement): boolean {
  return canWrite && message.deletedAt === null && target.matches(':focus-visible');
}
