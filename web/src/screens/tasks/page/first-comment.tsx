import type { Task } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { draftPlace, setDraft } from '../../../data/device/drafts.ts';
import { refetchTasks } from '../../../data/refetch-tasks.ts';
import { MOST_FILES, places } from '../../../data/uploads/upload.ts';
import { addUploads } from '../../../data/uploads/uploads.ts';
import { useOwner, useWorkspace } from '../../../data/workspace.tsx';
import { useGivenFiles } from '../../session/composer/use-given-files.ts';
import { isTouch } from '../../../ui/keys/is-touch.ts';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { bodyOf } from '../../session/composer/body.ts';
import { registerComposer } from '../../session/composer/composers.ts';
import { DropHint } from '../../session/composer/drop-hint.tsx';
import { putInOutbox } from '../../session/composer/outbox.ts';

interface FirstCommentProps {
  task: Task;
  slug: string;
  onBegin: () => void;
  /** The composer has taken over. */
  onEnd: () => void;
}

/**
 * In the place of the composer until the task has a session. The first letter makes one, and what is written
 * meanwhile goes on in its composer, which takes focus when it is there.
 */
export function FirstComment({ task, slug, onBegin, onEnd }: FirstCommentProps) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const area = useRef<HTMLTextAreaElement>(null);
  const owner = useOwner();
  const [text, setText] = useState('');
  const isSending = useRef(false);
  const waiting = useRef<File[]>([]);
  const begin = useMutation({
    mutationFn: async () => client.tasks.openSession(task.projectId, task.id),
    onSuccess(session) {
      const written = area.current?.value ?? '';
      addTo(session.id, waiting.current.splice(0));
      if (isSending.current) post(session.id, written);
      else setDraft(session.id, undefined, written);
      return refetchTasks(queryClient, org.id, task.projectId);
    },
  });
  const sessionId = begin.data?.id;
  // So that the composer takes focus from here, as from any other composer.
  useEffect(() => (area.current ? registerComposer('first', area.current) : undefined), []);
  const isOver = useGivenFiles(area, addFiles);
  function addTo(to: string, files: readonly File[]) {
    const place = places.draft(draftPlace(to, undefined));
    addUploads(owner, { place, projectId: task.projectId }, files.slice(0, MOST_FILES));
  }
  function addFiles(files: File[]) {
    if (sessionId !== undefined) return addTo(sessionId, files);
    waiting.current.push(...files);
    if (begin.isPending) return;
    onBegin();
    begin.mutate();
  }
  function post(to: string, written: string) {
    isSending.current = false;
    setText('');
    setDraft(to, undefined, '');
    const body = bodyOf(written);
    if (body !== '') putInOutbox(owner, { slug, sessionId: to, parentMessageId: undefined, body });
  }
  function write(written: string, isComposing: boolean) {
    setText(written);
    if (sessionId !== undefined) setDraft(sessionId, undefined, written);
    // What is being composed would be cut off.
    if (isComposing || written.trim() === '' || begin.isPending || sessionId !== undefined) return;
    onBegin();
    begin.mutate();
  }
  return (
    <div data-first data-composer className="relative flex flex-col gap-2 px-3 pt-1 pb-3 sm:px-4">
      {begin.error && <ErrorNote error={begin.error} onRetry={() => begin.mutate()} />}
      {isOver && <DropHint />}
      <textarea
        ref={area}
        aria-label="Message"
        placeholder="Comment, or @ to mention…"
        dir="auto"
        rows={1}
        className="block w-full resize-none rounded-lg border border-edge bg-surface px-3 py-2.5 placeholder:text-muted"
        value={text}
        onChange={({ target, nativeEvent }) => {
          write(target.value, (nativeEvent as InputEvent).isComposing);
        }}
        onCompositionEnd={({ currentTarget }) => write(currentTarget.value, false)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          if (isTouch()) return;
          event.preventDefault();
          if (sessionId !== undefined) post(sessionId, text);
          else isSending.current = true;
        }}
        onBlur={() => sessionId !== undefined && onEnd()}
      />
    </div>
  );
}
