import type { KeyboardEvent } from 'react';
import { isTouch } from '../../../ui/keys/is-touch.ts';
import { applyFormat, changeText, type Format } from './formatting.ts';
import { breakLine } from './line-break.ts';

const SHORTCUTS: Record<string, Format> = { b: 'bold', i: 'italic', e: 'code' };

/** The keys of a field in which a message is written or edited. True if it was one of them. */
export function handleWritingKey(
  event: KeyboardEvent<HTMLTextAreaElement>,
  send: () => void,
): boolean {
  const { key, shiftKey, altKey, currentTarget: area } = event;
  if (event.nativeEvent.isComposing || altKey) return false;
  const isCommand = (event.metaKey || event.ctrlKey) && !shiftKey;
  const format = isCommand ? SHORTCUTS[key.toLowerCase()] : undefined;
  if (format) formatSelection(area, format);
  else if (key === 'Enter') {
    const { value, selectionStart, selectionEnd } = area;
    const change = isCommand
      ? undefined
      : breakLine(value, selectionStart, selectionEnd, shiftKey || isTouch());
    if (change) changeText(area, change);
    else send();
  } else return false;
  event.preventDefault();
  return true;
}

export function formatSelection(area: HTMLTextAreaElement, format: Format): void {
  const { value, selectionStart, selectionEnd } = area;
  changeText(area, applyFormat(value, selectionStart, selectionEnd, format));
}
