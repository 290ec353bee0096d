import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { createListeners, createStore, useStore } from '../../data/store.ts';
import { cx } from '../text/cx.ts';
import { inWords } from '../states/error-note.tsx';

type Tone = 'plain' | 'danger';
interface Note {
  id: number;
  text: string;
  tone: Tone;
  /** What it is about: only the last note about the same is shown. */
  about?: string | undefined;
  undo?: (() => Promise<unknown>) | undefined;
  /** Where to see what happened. */
  open?: { label: string; go: () => void } | undefined;
}

const SHOWN_MS = 6_000;
/** Long enough to read it and to reach the button with the keyboard. */
const UNDO_MS = 15_000;
const notes = createStore<readonly Note[]>([]);
let nextId = 1;

/** Says briefly what happened. Read aloud, and gone after a few seconds. */
export function toast(text: string, tone: Tone = 'plain', about?: string): void {
  show({ id: nextId++, text, tone, about }, SHOWN_MS);
}

/** Says what happened, with a button that takes it back. */
export function toastWithUndo(text: string, undo: () => Promise<unknown>, about?: string): void {
  show({ id: nextId++, text, tone: 'plain', undo, about }, UNDO_MS);
}

/** Says what was done, where to see it, and how to take it back, as far as there is any of it. */
export function toastDone(text: string, { undo, open }: Pick<Note, 'undo' | 'open'>): void {
  show({ id: nextId++, text, tone: 'plain', undo, open }, undo || open ? UNDO_MS : SHOWN_MS);
}

function show(note: Note, ms: number): void {
  const { about } = note;
  const others = notes.getState().filter((one) => about === undefined || one.about !== about);
  notes.setState([...others.slice(-3), note]);
  setTimeout(() => dismiss(note.id), ms);
}

function dismiss(noteId: number): void {
  notes.setState(notes.getState().filter(({ id }) => id !== noteId));
}

export function toastError(error: unknown): void {
  toast(inWords(error), 'danger');
}

const ACTION = 'inline-flex min-h-6 shrink-0 items-center rounded font-semibold underline';
const MARGIN = 16;

const moves = createListeners();

/** What opens above a composer says so when it is there, and when it is gone. */
export function makeRoom(): void {
  queueMicrotask(moves.notify);
}

/** How far from the bottom nothing is covered that people write with. */
function findRoom(): number {
  if (document.querySelector('dialog[open]')) return MARGIN;
  const tops = [...document.querySelectorAll('[data-composer], [data-composer] [role=listbox]')]
    .filter((composer) => composer.checkVisibility({ visibilityProperty: true }))
    .map((composer) => composer.getBoundingClientRect().top);
  return Math.max(MARGIN, innerHeight - Math.min(innerHeight, ...tops) + MARGIN / 2);
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
    const place = () => {
      if (layer && shown.length > 0) layer.style.bottom = `${findRoom()}px`;
    };
    place();
    return moves.subscribe(place);
  }, [shown]);
  return (
    <div
      ref={ref}
      popover="manual"
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 top-auto m-0 flex w-auto flex-col items-center gap-2 overflow-visible border-0 bg-transparent p-0"
    >
      {shown.map(({ id, text, tone, undo, open }) => (
        <div
          key={id}
          className={cx(
            'pointer-events-auto flex max-w-md items-start gap-3 rounded-lg px-4 py-2 text-sm shadow-lg',
            tone === 'danger' ? 'bg-danger-strong text-white' : 'bg-ink text-ground',
          )}
        >
          <span className="wrap-anywhere">{text}</span>
          {open && (
            <button
              type="button"
              className={ACTION}
              onClick={() => {
                dismiss(id);
                open.go();
              }}
            >
              {open.label}
            </button>
          )}
          {undo && (
            <button
              type="button"
              className={ACTION}
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
