import type { Task } from '@atrium/sdk';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FocusEvent } from 'react';
import { newestIn, useSaveTask } from '../changes/mutations.ts';

type Field = 'title' | 'description';

interface Edit {
  /** As it was when editing began, or the newest after someone else's change. */
  base: Task;
  text: string;
  /** Someone else changed the same text meanwhile. */
  isStale: boolean;
}

/**
 * A text of a task that is edited where it stands. Leaving it saves. If someone else changed it meanwhile, it
 * stays open, and the person decides.
 */
export function useTextEdit(task: Task, field: Field) {
  const [edit, setEdit] = useState<Edit>();
  const save = useSaveTask();
  const saving = useMutation({
    // Offline, it fails at once.
    networkMode: 'always',
    mutationFn: ({ base, text }: Edit) =>
      save(base, field === 'title' ? { title: text } : { description: text || null }),
    onSuccess: () => setEdit(undefined),
    onError(failure) {
      const base = newestIn(failure);
      if (base) setEdit((now) => now && { ...now, base, isStale: true });
    },
  });
  const view = useRef<HTMLButtonElement>(null);
  const returnsFocus = useRef(false);
  const isOpen = edit !== undefined;
  useEffect(() => {
    if (isOpen || !returnsFocus.current) return;
    returnsFocus.current = false;
    view.current?.focus();
  }, [isOpen]);

  function open(text = task[field] ?? '') {
    saving.reset();
    setEdit({ base: task, text, isStale: false });
  }
  function submit(isByKey = true) {
    if (!edit || saving.isPending) return;
    returnsFocus.current = isByKey;
    const isEmptyTitle = field === 'title' && edit.text.trim() === '';
    if (isEmptyTitle || edit.text === (edit.base[field] ?? '')) setEdit(undefined);
    else saving.mutate(edit);
  }
  function cancel() {
    returnsFocus.current = true;
    setEdit(undefined);
  }
  return {
    edit,
    view,
    isSaving: saving.isPending,
    error: newestIn(saving.error) ? null : saving.error,
    open,
    submit,
    cancel,
    setText: (text: string) => setEdit((now) => now && { ...now, text }),
    /** For the element around the field and its buttons. */
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      // Another window took focus: the person may only be looking something up.
      if (!document.hasFocus() || currentTarget.contains(relatedTarget)) return;
      if (edit && !edit.isStale && !saving.error) submit(false);
    },
  };
}
