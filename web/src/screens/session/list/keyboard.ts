import type { Message } from '@atrium/sdk';
import type { KeyboardEvent } from 'react';
import { stepOf } from '../message/branch-step.ts';
import type { Popup } from '../message/toolbar.tsx';
import type { Row } from './rows.ts';

interface ListKeys {
  rows: readonly Row[];
  canWrite: boolean;
  /** Shows another version of a question. */
  showBranch: (messageId: string) => void;
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
  const version = otherVersion(messages, message, key);
  if (version) keys.showBranch(version);
  else if (next) keys.focus(next.id);
  else if (key === 'Enter') keys.setPopup(message.id, 'actions');
  else if (key === '+' && keys.canWrite && mayReact(message, target)) {
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

const VERSION_STEPS: Record<string, 1 | -1> = { ArrowLeft: -1, ArrowRight: 1 };

/** On a question that was asked again, and on its answers. */
function otherVersion(messages: readonly Message[], message: Message, key: string) {
  const step = VERSION_STEPS[key];
  const question = messages.find(({ id }) => id === message.inReplyToMessageId) ?? message;
  return step && question.pendingReplies.length === 0 ? stepOf(question, step) : undefined;
}

/** After a click on a message, what is typed is a message. */
function mayReact(message: Message, target: HTMLElement): boolean {
  return message.deletedAt === null && target.matches(':focus-visible');
}
