import type { Message } from '@atrium/sdk';
import { CircleStop, TriangleAlert } from 'lucide-react';
import { memo, useMemo, useState } from 'react';
import { nameKey } from '../../../../../server/src/text/name-key.ts';
import { closablePart, quietPart } from '../../../ui/layers/part-boundary.tsx';
import { useSession } from '../session-context.ts';
import { useMessageActions } from '../use-message-actions.ts';
import { CitationMark } from './citation-mark.tsx';
import { isOnlyEmoji } from './only-emoji.ts';
import type { Showing } from './inline-view.tsx';
import { MessageFiles } from './message-files.tsx';
import { MarkdownView } from './markdown-view.tsx';
import { PersonMention } from './person-mention.tsx';
import { findReached } from './reached.ts';
import { WrittenTaskNumber } from './task-number.tsx';

// Few messages need them. Loaded ahead or with the first that does.
const CitationDialog = closablePart(() => import('./citation-dialog.tsx'), 'CitationDialog');
const LinkPreviews = quietPart(() => import('./link-previews.tsx'), 'LinkPreviews');
const MessageTasks = quietPart(() => import('./message-tasks.tsx'), 'MessageTasks');
const Citations = quietPart(() => import('./citations.tsx'), 'Citations');
const ToolCalls = quietPart(() => import('./tool-calls.tsx'), 'ToolCalls');

/** A message's content. The list shows its author, time and actions. */
export const MessageContent = memo(function MessageContent({ message }: { message: Message }) {
  const { slug, session } = useSession();
  const { projectId, kind } = session;
  const [open, setOpen] = useState<number>();
  const { body, mentions, mentionedUserIds, broadcast, citations } = message;
  const { attachments, previews, tasks, toolCalls } = message;
  const [hadPreviews] = useState(previews.length > 0);
  const { person, answers } = useMessageActions();
  const citationCount = citations.length;
  const showing = useMemo<Showing>(() => {
    const reached = findReached({ mentions, mentionedUserIds, broadcast }, { person, answers });
    return {
      mentions: new Set(reached.keys()),
      citationCount,
      showCitation: (number) => <CitationMark number={number} onOpen={() => setOpen(number)} />,
      showPerson: (text, key) => {
        const written = text.slice(1);
        const userId = reached.get(written.toLowerCase()) ?? reached.get(nameKey(written));
        return userId && <PersonMention key={key} {...{ text, userId }} />;
      },
      showTask: (number) =>
        kind === 'DIRECT' ? `#${number}` : <WrittenTaskNumber {...{ projectId, slug, number }} />,
    };
  }, [
    mentions,
    mentionedUserIds,
    broadcast,
    person,
    answers,
    citationCount,
    slug,
    projectId,
    kind,
  ]);
  // Rebuilt only when the text or its references change, not when a dialog opens.
  const text = useMemo(
    () =>
      isOnlyEmoji(body) ? (
        <p className="py-0.5 font-emoji text-3xl leading-snug">{body}</p>
      ) : (
        <MarkdownView source={body} showing={showing} />
      ),
    [body, showing],
  );
  const cited = open === undefined ? undefined : citations[open - 1];
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {message.status === 'FAILED' ? <Failure message={message} /> : body !== '' && text}
      {attachments.length > 0 && <MessageFiles files={attachments} />}
      {body === '' && attachments.length === 0 && message.authorKind !== 'AGENT' && (
        <p className="text-sm text-muted italic">The file of this message was deleted.</p>
      )}
      {message.status === 'STOPPED' && (
        <p className="flex items-center gap-1.5 text-note text-muted">
          <CircleStop aria-hidden className="size-4 shrink-0" />
          Stopped before it was finished
        </p>
      )}
      {previews.length > 0 && <LinkPreviews message={message} isArriving={!hadPreviews} />}
      {toolCalls.length > 0 && <ToolCalls calls={toolCalls} agentSlug={message.agentSlug} />}
      {tasks.length > 0 && <MessageTasks tasks={tasks} />}
      {citationCount > 0 && <Citations citations={citations} onOpen={setOpen} />}
      {cited && open !== undefined && (
        <CitationDialog citation={cited} number={open} onClose={() => setOpen(undefined)} />
      )}
    </div>
  );
});

function Failure({ message: { body, error } }: { message: Message }) {
  const more = error && !body.includes(error.message) ? error.message : undefined;
  return (
    <div className="flex items-start gap-2.5 rounded-md border border-danger bg-danger-soft p-3 text-sm">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
      <div dir="auto" className="flex min-w-0 flex-col gap-1 wrap-anywhere">
        <p className="whitespace-pre-wrap">{body}</p>
        {more && <p className="whitespace-pre-wrap">{more}</p>}
        {error && <p className="font-mono text-xs text-danger">{error.code}</p>}
      </div>
    </div>
  );
}
