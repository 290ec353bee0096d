import type { Message } from '@atrium/sdk';
import { CircleStop, TriangleAlert } from 'lucide-react';
import { memo, useMemo, useState } from 'react';
import { lazyPart } from '../../../data/parts.ts';
import { PartBoundary, quietPart } from '../../../ui/layers/part-boundary.tsx';
import { useMessageActions } from '../actions.tsx';
import { CitationMark, Citations } from './citations.tsx';
import { formatDuration } from './duration.ts';
import type { Showing } from './inline-view.tsx';
import { MarkdownView } from './markdown-view.tsx';
import { PersonMention } from './person-mention.tsx';
import { TaskNumber } from './task-number.tsx';

// Few messages need them. Loaded ahead or with the first that does.
const CitationDialog = lazyPart(() => import('./citation-dialog.tsx'), 'CitationDialog');
const ToolCalls = quietPart(() => import('./tool-calls.tsx'), 'ToolCalls');

export interface MessageContentProps {
  message: Message;
  slug: string;
}

/** A message's content. The list shows its author, time and actions. */
export const MessageContent = memo(function MessageContent({ message, slug }: MessageContentProps) {
  const [open, setOpen] = useState<number>();
  const { body, mentions, mentionedUserIds, citations, tasks, toolCalls, usage } = message;
  const { person } = useMessageActions();
  const citationCount = citations.length;
  const showing = useMemo<Showing>(() => {
    const byHandle = new Map(mentionedUserIds.map((id) => [person(id).handle, id]));
    return {
      mentions: new Set(mentions),
      citationCount,
      showCitation: (number) => <CitationMark number={number} onOpen={() => setOpen(number)} />,
      showPerson: (text, key) => {
        const userId = byHandle.get(text.slice(1).toLowerCase());
        return userId && <PersonMention key={key} {...{ text, userId }} />;
      },
      showTask: (number) => <TaskNumber slug={slug} number={number} />,
    };
  }, [mentions, mentionedUserIds, person, citationCount, slug]);
  // Rebuilt only when the text or its references change, not when a dialog opens.
  const text = useMemo(() => <MarkdownView source={body} showing={showing} />, [body, showing]);
  if (message.deletedAt) return <p className="text-muted italic">This message was deleted.</p>;
  const cited = open === undefined ? undefined : citations[open - 1];
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {message.status === 'FAILED' ? <Failure message={message} /> : text}
      {message.status === 'STOPPED' && (
        <p className="flex items-center gap-1.5 text-note text-muted">
          <CircleStop aria-hidden className="size-4 shrink-0" />
          Stopped before it was finished
        </p>
      )}
      {toolCalls.length > 0 && <ToolCalls calls={toolCalls} agentSlug={message.agentSlug} />}
      {tasks.length > 0 && (
        <p className="flex flex-wrap items-center gap-x-2 text-note text-muted">
          {tasks.length === 1 ? 'Task' : 'Tasks'}
          {tasks.map(({ id, number }) => (
            <TaskNumber key={id} slug={slug} number={number} />
          ))}
        </p>
      )}
      {citationCount > 0 && <Citations {...{ citations, slug }} onOpen={setOpen} />}
      {usage && message.status !== 'FAILED' && <UsageLine usage={usage} />}
      {cited && open !== undefined && (
        <PartBoundary onClose={() => setOpen(undefined)}>
          <CitationDialog
            citation={cited}
            slug={slug}
            number={open}
            onClose={() => setOpen(undefined)}
          />
        </PartBoundary>
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

const COUNT = new Intl.NumberFormat();

function UsageLine({ usage }: { usage: NonNullable<Message['usage']> }) {
  const { inputTokens, outputTokens, credits, latencyMs } = usage;
  const facts = [
    inputTokens + outputTokens > 0 &&
      `${COUNT.format(inputTokens)} tokens read, ${COUNT.format(outputTokens)} written`,
    credits > 0 && (credits === 1 ? '1 credit' : `${COUNT.format(credits)} credits`),
    formatDuration(latencyMs),
  ];
  return <p className="text-xs text-muted">{facts.filter(Boolean).join(' · ')}</p>;
}
