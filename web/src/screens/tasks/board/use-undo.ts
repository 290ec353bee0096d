import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { toast, toastWithUndo } from '../../../ui/layers/toast.tsx';
import { useUndoKey } from '../../../ui/keys/use-undo-key.ts';
import { STATUS, type Status } from '../statuses.ts';
import { findStanding, readColumn, type BoardKey, type Column, type Standing } from './columns.ts';
import type { Move } from './use-drag.ts';

/** One note about moves at a time: its button takes back the last one. */
const ABOUT_MOVES = 'moves';

interface Moved {
  before: Standing;
  to: Status;
}

/** Remembers moves, and takes them back one by one: with the note's button, or with Ctrl+Z or ⌘Z. */
export function useUndo(board: BoardKey, onUndo: (move: Move) => void) {
  const queryClient = useQueryClient();
  const moves = useRef<Moved[]>([]);

  function undo(isByKeyboard: boolean) {
    const last = moves.current.pop();
    if (!last) return;
    const { before, to } = last;
    const { id, number, status } = before.task;
    const now = findStanding(queryClient, board, id)?.task;
    if (now && now.status !== to) {
      const where = STATUS[now.status];
      toast(`#${number} wasn’t moved back: it is in ${where} now.`, 'danger', ABOUT_MOVES);
      return;
    }
    const there = new Set(readColumn(queryClient, board, status as Column));
    const afterTaskId = before.above.find((one) => one !== id && there.has(one)) ?? null;
    onUndo({ task: now ?? before.task, place: { status, afterTaskId }, isByKeyboard });
    toast(`#${number} moved back`, 'plain', ABOUT_MOVES);
  }

  const latest = useRef(undo);
  useEffect(() => void (latest.current = undo));
  useUndoKey(() => undo(true));

  return {
    /** After the server has confirmed the move. `before` is where the task was. */
    remember(before: Standing, to: Status) {
      moves.current.push({ before, to });
      const { number, status } = before.task;
      const where = status === to ? `within ${STATUS[to]}` : `to ${STATUS[to]}`;
      toastWithUndo(`#${number} moved ${where}`, async () => latest.current(false), ABOUT_MOVES);
    },
  };
}
