import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { createStore, useStore } from '../../data/store.ts';
import { cx } from '../text/cx.ts';
import { inWords } from '../states/error-note.tsx';

type Tone = 'plain' | 'danger';
interface Note {
  id: number;
  text: string;
  tone: Tone;
  undo?: () => Promise<unknown>;
}

const SHOWN_MS = 6_000;
/** Long enough to read it and to reach the button with the keyboard. */
const UNDO_MS = 15_000;
const notes = createStore<readonly Note[]>([]);
let nextId = 1;

/** Says briefly what happened. Read aloud, and gone after a few seconds. */
export function toast(text: string, tone: Tone = 'plain'): void {
  show({ id: nextId++, text, tone }, SHOWN_MS);
}

/** Says what happened, with a button that takes it back. */
export function toastWithUndo(text: string, undo: () => Promise<unknown>): void {
  show({ id: nextId++, text, tone: 'plain', undo }, UNDO_MS);
}

function show(note: Note, ms: number): void {
  notes.setState([...notes.getState().slice(-3), note]);
  setTimeout(() => dismiss(note.id), ms);
}

function dismiss(noteId: number): void {
  notes.setState(notes.getState().filter(({ id }) => id !== noteId));
}

export function toastError(error: unknown): void {
  toast(inWords(error), 'danger');
}

/** Mounted once. A popover, so that it can be above a dialog: the last one opened is on top. */
export function Toasts() {
  const ref = useRef<HTMLDivElement>(null);
  const shown = useStore(notes);
  useEffect(() => {
    const layer = ref.current;
    if (layer?.matches(':popover-open') && document.querySelector('dialog[open]')) {
      layer.hidePopover();
    }
    if (!layer?.matches(':popover-open')) layer?.showPopover();
  }, [shown]);
  return (
    <div
      ref={ref}
      popover="manual"
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 top-auto bottom-4 m-0 flex w-auto flex-col items-center gap-2 overflow-visible border-0 bg-transparent p-0"
    >
      {shown.map(({ id, text, tone, undo }) => (
        <div
          key={id}
          className={cx(
            'pointer-events-auto flex max-w-md items-start gap-3 rounded-lg px-4 py-2 text-sm shadow-lg',
            tone === 'danger' ? 'bg-danger-strong text-white' : 'bg-ink text-ground',
          )}
        >
          <span className="wrap-anywhere">{text}</span>
          {undo && (
            <button
              type="button"
              className="inline-flex min-h-6 shrink-0 items-center rounded font-semibold underline"
              onClick={() => {
                dismiss(id);
                undo().catch(toastError);
              }}
            >
              Undo
            </button>
          )}
          <button
            type="button"
            aria-label="Dismiss"
            className="-mr-1 inline-flex size-6 items-center justify-center rounded"
            onClick={() => dismiss(id)}
          >
            <X aria-hidden className="size-4" />
          </button>
        </div>
      ))}
    </div>
  );
}
