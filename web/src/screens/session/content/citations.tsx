import type { Message } from '@atrium/sdk';
import { useMemory } from '../../memory/use-memory.ts';

interface CitationsProps {
  citations: Message['citations'];
  onOpen: (number: number) => void;
}

/** The memories that an answer cites, each as a button that opens it. */
export function Citations({ citations, onOpen }: CitationsProps) {
  return (
    <ul aria-label="Sources" className="flex min-w-0 flex-wrap gap-1.5">
      {citations.map(({ memoryId }, at) => (
        <li key={`${at} ${memoryId}`} className="max-w-full min-w-0">
          <Chip memoryId={memoryId} number={at + 1} onOpen={() => onOpen(at + 1)} />
        </li>
      ))}
    </ul>
  );
}

const VISIBILITY_NAMES = { PRIVATE: 'Private', PROJECT: 'Project', ORG: 'Everyone' };
const LOOK =
  'inline-flex max-w-full items-center rounded-full border border-edge bg-surface text-xs text-ink hover:bg-hover';

function Chip({
  memoryId,
  number,
  onOpen,
}: {
  memoryId: string;
  number: number;
  onOpen: () => void;
}) {
  const { data: memory } = useMemory(memoryId);
  // The width is fixed, so that nothing moves when the text arrives.
  return (
    <button type="button" onClick={onOpen} className={`${LOOK} min-h-7 w-64 gap-1.5 px-2.5`}>
      <span className="font-semibold text-accent">
        <span className="sr-only">Source </span>
        {number}
      </span>
      <span aria-hidden>·</span>
      {memory && (
        <>
          <span className="shrink-0 text-muted">{VISIBILITY_NAMES[memory.visibility]}</span>
          <span aria-hidden>·</span>
        </>
      )}
      <bdi className="min-w-0 flex-1 truncate text-start">
        {memory === null ? 'No longer available' : (memory?.content.slice(0, 120) ?? '…')}
      </bdi>
    </button>
  );
}

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
