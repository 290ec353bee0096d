import { useEffect } from 'react';
import {
  AssigneePicker,
  DuePicker,
  LabelsPicker,
  PriorityPicker,
  StatusPicker,
} from '../pickers/task-pickers.tsx';
import type { TaskDraft } from './task-draft.ts';

/** By the key's place, because with Alt some keyboards type another letter. */
const KEYS = {
  KeyS: 'status',
  KeyA: 'assignee',
  KeyP: 'priority',
  KeyD: 'due',
  KeyL: 'labels',
} as const;

export type PickerName = (typeof KEYS)[keyof typeof KEYS];

/** Alt and a letter open a picker, wherever focus is: letters alone belong to the title. */
export function useDraftKeys(onOpen: (name: PickerName) => void): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const { altKey, ctrlKey, metaKey, code } = event;
      if (!altKey || ctrlKey || metaKey || !Object.hasOwn(KEYS, code)) return;
      event.preventDefault();
      onOpen(KEYS[code as keyof typeof KEYS]);
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [onOpen]);
}

interface DraftPickersProps {
  projectId: string;
  draft: TaskDraft;
  change: (changes: Partial<TaskDraft>) => void;
  open: PickerName | undefined;
  onOpen: (name: PickerName | undefined) => void;
}

export function DraftPickers({ projectId, draft, change, open, onOpen }: DraftPickersProps) {
  const of = (name: PickerName) => {
    const code = Object.entries(KEYS).find(([, one]) => one === name)?.[0] ?? '';
    return {
      look: 'chip' as const,
      open: open === name,
      onOpenChange: (isOpen: boolean) => onOpen(isOpen ? name : undefined),
      shortcut: `Alt+${code.slice(-1)}`,
    };
  };
  return (
    <>
      <StatusPicker
        {...of('status')}
        value={draft.status}
        onChange={(status) => change({ status })}
      />
      <PriorityPicker
        {...of('priority')}
        value={draft.priority}
        onChange={(priority) => change({ priority })}
      />
      <AssigneePicker
        {...of('assignee')}
        projectId={projectId}
        value={draft.assignee}
        onChange={(assignee) => change({ assignee })}
      />
      <DuePicker
        {...of('due')}
        status={draft.status}
        value={draft.dueOn}
        onChange={(dueOn) => change({ dueOn })}
      />
      <LabelsPicker
        {...of('labels')}
        projectId={projectId}
        value={draft.labels}
        onChange={(labels) => change({ labels })}
      />
    </>
  );
}
