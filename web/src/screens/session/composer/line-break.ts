import { findOpenFence } from './fences.ts';
import type { Change } from './formatting.ts';

/**
 * What Enter writes where the caret is, or undefined if it sends. In a code block it is a line, and after
 * the fence that opens one, the fence that closes it. `isLine` is for Shift+Enter, which goes on with lists.
 */
export function breakLine(
  text: string,
  start: number,
  end: number,
  isLine: boolean,
): Change | undefined {
  const fence = findOpenFence(text.slice(0, start));
  if (fence !== undefined) return breakCode(text, start, end, fence);
  return isLine ? continueList(text, start, end) : undefined;
}

function breakCode(text: string, start: number, end: number, fence: string): Change {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const isOpener = findOpenFence(text.slice(0, lineStart)) === undefined;
  const isLineEnd = /^[ \t]*(?:\n|$)/.test(text.slice(end));
  const isUnclosed = isOpener && isLineEnd && findOpenFence(text) !== undefined;
  return { from: start, to: end, text: isUnclosed ? `\n\n${fence}` : '\n', select: at(start + 1) };
}

/** A bullet, a number or a quote at the start of a line, with a checkbox if there is one. */
const ITEM = /^([ \t]*)(?:([-*+]|(\d{1,9})([.)]))([ \t]+)(\[[ xX]\][ \t]+)?|((?:>[ \t]?)+))/;

function continueList(text: string, start: number, end: number): Change {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const item = ITEM.exec(text.slice(lineStart, start));
  if (!item) return { from: start, to: end, text: '\n', select: at(start + 1) };
  const [whole, indent = '', bullet, number, dot, space = '', box, quote] = item;
  const next = text.indexOf('\n', end);
  const lineEnd = next === -1 ? text.length : next;
  // An item without text ends the list.
  if (text.slice(lineStart + whole.length, lineEnd).trim() === '') {
    return { from: lineStart, to: lineEnd, text: '', select: at(lineStart) };
  }
  const marker = number === undefined ? (bullet ?? quote ?? '') : `${Number(number) + 1}${dot}`;
  const inserted = `\n${indent}${marker}${space}${box ? '[ ] ' : ''}`;
  return { from: start, to: end, text: inserted, select: at(start + inserted.length) };
}

function at(position: number): [number, number] {
  return [position, position];
}
