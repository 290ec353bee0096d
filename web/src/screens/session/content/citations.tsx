import type { Message } from '@atrium/sdk';
import { saidIn } from '../../../data/message-words.ts';
import { plainText } from '../../../../../server/src/text/plain-text.ts';
import { useMemory } from '../../memory/use-memory.ts';
import { nameSession } from '../../../data/all-sessions.ts';
import { useCitedDocument } from './use-cited-document.ts';
import { useCitedMessage } from './use-cited-message.ts';

interface CitationsProps {
  citations: Message['citations'];
  onOpen: (number: number) => void;
}

/** What an answer cites, each as a button that opens it. */
export function Citations({ citations, onOpen }: CitationsProps) {
  return (
    <ul aria-label="Sources" className="flex min-w-0 flex-wrap gap-1.5">
      {citations.map(({ memoryId = '', messageId, documentId, page }, at) => {
        const chip = { number: at + 1, onOpen: () => onOpen(at + 1) };
        return (
          <li key={`${at} ${documentId ?? messageId ?? memoryId}`} className="max-w-full min-w-0">
            {documentId !== undefined ? (
              <DocumentChip documentId={documentId} page={page} {...chip} />
            ) : messageId === undefined ? (
              <MemoryChip memoryId={memoryId} {...chip} />
            ) : (
              <MessageChip messageId={messageId} {...chip} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

const VISIBILITY_NAMES = { PRIVATE: 'Private', PROJECT: 'Project', ORG: 'Everyone' };
const LOOK =
  'inline-flex max-w-full items-center rounded-full border border-edge bg-surface text-xs text-ink hover:bg-hover';

interface ChipProps {
  number: number;
  onOpen: () => void;
}

function MemoryChip({ memoryId, ...chip }: ChipProps & { memoryId: string }) {
  const { data: memory } = useMemory(memoryId);
  return (
    <Chip
      {...chip}
      place={memory ? VISIBILITY_NAMES[memory.visibility] : undefined}
      text={memory && memory.content}
    />
  );
}

function MessageChip({ messageId, ...chip }: ChipProps & { messageId: string }) {
  const { data: cited } = useCitedMessage(messageId);
  return (
    <Chip
      {...chip}
      place={cited ? nameSession(cited.session) : undefined}
      text={cited && saidIn(cited.message)}
    />
  );
}

function DocumentChip({
  documentId,
  page,
  ...chip
}: ChipProps & { documentId: string; page: number | undefined }) {
  const { data: cited } = useCitedDocument(documentId);
  return (
    <Chip
      {...chip}
      place={cited && page !== undefined ? `Page ${page}` : undefined}
      text={cited && cited.title}
    />
  );
}

/** `text` is undefined until it has arrived, and null if there is none any more. */
function Chip({
  number,
  onOpen,
  place,
  text,
}: ChipProps & { place: string | undefined; text: string | null | undefined }) {
  // The width is fixed, so that nothing moves when the text arrives.
  return (
    <button type="button" onClick={onOpen} className={`${LOOK} min-h-7 w-64 gap-1.5 px-2.5`}>
      <span className="font-semibold text-accent">
        <span className="sr-only">Source </span>
        {number}
      </span>
      <span aria-hidden>·</span>
      {place !== undefined && (
        <>
          <bdi className="max-w-24 shrink-0 truncate text-muted">{place}</bdi>
          <span aria-hidden>·</span>
        </>
      )}
      <bdi className="min-w-0 flex-1 truncate text-start">
        {text === null
          ? 'No longer available'
          : text === undefined
            ? '…'
            : plainText(text.slice(0, 240))}
      </bdi>
    </button>
  );
}
