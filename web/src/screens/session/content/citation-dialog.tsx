import type { Message } from '@atrium/sdk';
import { saidIn } from '../../../data/message-words.ts';
import { useEffect, useRef } from 'react';
import { useAuthorName } from '../../../data/queries.ts';
import { Dialog, DialogActions } from '../../../ui/layers/dialog.tsx';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { Day } from '../../../ui/marks/time.tsx';
import { LinkButton } from '../../../ui/controls/link-button.tsx';
import { MemoryRecord, MemoryRecordLoading } from '../../memory/memory-record.tsx';
import { useMemory } from '../../memory/use-memory.ts';
import { nameSession } from '../../../data/all-sessions.ts';
import { useSession } from '../session-context.ts';
import { useOpenFile } from '../../../shared/files/shown-files.ts';
import { useCitedDocument } from './use-cited-document.ts';
import { useCitedMessage, type CitedMessage } from './use-cited-message.ts';

interface CitationDialogProps {
  citation: Message['citations'][number];
  number: number;
  onClose: () => void;
}

/** The memory or the message that an answer cites. A page of a file opens in the viewer instead. */
export function CitationDialog({ citation, number, onClose }: CitationDialogProps) {
  const { memoryId = '', messageId, documentId, page } = citation;
  const opens = useDocumentToOpen(documentId, page, onClose);
  if (opens) return null;
  return (
    <Dialog title={`Source ${number}`} onClose={onClose} width="wide">
      {documentId !== undefined ? (
        <Gone what="file" />
      ) : messageId === undefined ? (
        <MemorySource memoryId={memoryId} />
      ) : (
        <MessageSource messageId={messageId} onClose={onClose} />
      )}
    </Dialog>
  );
}

/** Opens the file, once it is known which. False if there is nothing to open. */
function useDocumentToOpen(
  documentId: string | undefined,
  page: number | undefined,
  onOpened: () => void,
): boolean {
  const open = useOpenFile();
  const { data, isPending } = useCitedDocument(documentId ?? '', documentId !== undefined);
  const fileId = documentId === undefined ? undefined : data?.fileId;
  const done = useRef(onOpened);
  useEffect(() => {
    if (!fileId) return;
    open(fileId, [], page);
    done.current();
  }, [fileId, page, open]);
  return documentId !== undefined && (isPending || Boolean(fileId));
}

function MemorySource({ memoryId }: { memoryId: string }) {
  const { data: memory, error, refetch } = useMemory(memoryId);
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (memory === undefined) return <MemoryRecordLoading />;
  if (memory === null) return <Gone what="memory" />;
  return (
    <>
      <MemoryRecord memory={memory} />
      <DialogActions>
        <LinkButton to="/memory" search={{ id: memory.id }}>
          Open in Memory
        </LinkButton>
      </DialogActions>
    </>
  );
}

function MessageSource({ messageId, onClose }: { messageId: string; onClose: () => void }) {
  const { slug } = useSession();
  const { data: cited, error, refetch } = useCitedMessage(messageId);
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (cited === undefined) return <MemoryRecordLoading />;
  if (cited === null) return <Gone what="message" />;
  return (
    <>
      <MessageRecord cited={cited} />
      <DialogActions>
        <LinkButton
          to="/p/$slug/s/$sessionId"
          params={{ slug, sessionId: cited.session.id }}
          search={{ m: messageId }}
          onClick={onClose}
        >
          Open in session
        </LinkButton>
      </DialogActions>
    </>
  );
}

function MessageRecord({ cited: { message, session } }: { cited: CitedMessage }) {
  const authorName = useAuthorName();
  return (
    <div className="flex flex-col gap-2">
      <p className="text-note text-muted">
        <bdi>{authorName(message)}</bdi> in <bdi>{nameSession(session)}</bdi>,{' '}
        <Day at={message.createdAt} />
      </p>
      <p dir="auto" className="max-h-96 overflow-y-auto whitespace-pre-wrap wrap-anywhere">
        {saidIn(message)}
      </p>
    </div>
  );
}

function Gone({ what }: { what: string }) {
  return (
    <p className="text-muted">
      This {what} was deleted, or you can no longer see it. The answer may still quote it.
    </p>
  );
}
