import type { Message } from '@atrium/sdk';
import { useAuthorName } from '../../../data/queries.ts';
import { Dialog, DialogActions } from '../../../ui/layers/dialog.tsx';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { Day } from '../../../ui/marks/time.tsx';
import { LinkButton } from '../../../ui/controls/link-button.tsx';
import { MemoryRecord, MemoryRecordLoading } from '../../memory/memory-record.tsx';
import { useMemory } from '../../memory/use-memory.ts';
import { nameSession } from '../../../data/all-sessions.ts';
import { useSession } from '../session-context.ts';
import { useCitedMessage, type CitedMessage } from './use-cited-message.ts';

interface CitationDialogProps {
  citation: Message['citations'][number];
  number: number;
  onClose: () => void;
}

/** The memory or the message that an answer cites. */
export function CitationDialog({ citation, number, onClose }: CitationDialogProps) {
  const { memoryId = '', messageId } = citation;
  return (
    <Dialog title={`Source ${number}`} onClose={onClose} width="wide">
      {messageId === undefined ? (
        <MemorySource memoryId={memoryId} />
      ) : (
        <MessageSource messageId={messageId} onClose={onClose} />
      )}
    </Dialog>
  );
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
        {message.body}
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
