/** `[1]` in the text of an answer. */
export function CitationMark({ number, onOpen }: { number: number; onOpen: () => void }) {
  return (
    <button
      type="button"
      onClick={onOpen}
      aria-label={`Source ${number}`}
      className="inline-flex size-6 items-center justify-center rounded-full border border-edge bg-surface align-middle text-xs font-semibold text-accent hover:bg-hover"
    >
      {number}
    </button>
  );
}
