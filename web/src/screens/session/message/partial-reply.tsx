import { CircleStop } from 'lucide-react';
import { useState } from 'react';
import { usePartialReply } from '../../../data/replies.ts';
import { AgentAvatar } from '../../../ui/marks/avatar.tsx';
import { AgentBadge } from '../../../ui/marks/badge.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { quietPart } from '../../../ui/layers/part-boundary.tsx';
import { toastError } from '../../../ui/layers/toast.tsx';
import { GrowingMarkdown } from '../content/growing-view.tsx';
import type { Answering } from '../list/rows.ts';
import { useSession } from '../session-context.ts';
import { useMessageActions } from '../use-message-actions.ts';

const ToolCallsUnderWay = quietPart(() => import('../content/tool-calls.tsx'), 'ToolCallsUnderWay');

/** An answer while it is written, laid out like the message that takes its place. */
export function PartialReplyRow({ reply }: { reply: Answering }) {
  const { questionId, mention, askerId } = reply;
  const { answererOf } = useMessageActions();
  const name = answererOf(mention);
  return (
    <article
      aria-label={`${name} is answering`}
      aria-busy
      className="relative flex gap-3 bg-ground px-3 pt-3 pb-[1.8125px] sm:px-6"
    >
      <span className="sticky top-1 flex w-9 shrink-0 justify-center self-start pt-0.5">
        <AgentAvatar slug={mention} />
      </span>
      <div className="max-w-4xl min-w-0 flex-1 bg-inherit">
        {/* As high as a message's heading. The padding is room for Stop at the top of the list. */}
        <div className="sticky top-0 z-[2] -my-1 flex min-w-0 items-center gap-2 bg-inherit py-1">
          <bdi className="min-w-0 truncate font-semibold">{name}</bdi>
          <AgentBadge slug={mention} />
          <StopButton {...{ questionId, mention, askerId }} />
        </div>
        <PartialReplyText questionId={questionId} mention={mention} />
      </div>
    </article>
  );
}

interface PartialReplyTextProps {
  questionId: string;
  mention: string;
}

/** The text until now, or that there is none yet. The list's announcer reads out the start and the end. */
export function PartialReplyText({ questionId, mention }: PartialReplyTextProps) {
  const reply = usePartialReply(questionId, mention);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {!reply || reply.text.trim() === '' ? (
        <Thinking />
      ) : (
        <GrowingMarkdown source={reply.text} isGrowing={reply.isWriting} />
      )}
      {reply && reply.toolCalls.length > 0 && (
        <ToolCallsUnderWay calls={reply.toolCalls} mention={mention} />
      )}
    </div>
  );
}

/** In the heading of its row, which stays in view however long the answer is. */
export function StopButton({ questionId, mention, askerId }: Omit<Answering, 'key'>) {
  const { messages } = useSession();
  const { canSteer, answererOf } = useMessageActions();
  const [isStopping, setStopping] = useState(false);
  if (!canSteer(askerId)) return null;
  function stopReply() {
    setStopping(true);
    // Until the reply lands, which takes this button away.
    messages.stopReply(questionId, mention).catch((error: unknown) => {
      toastError(error);
      setStopping(false);
    });
  }
  return (
    <Button
      size="small"
      icon={CircleStop}
      isBusy={isStopping}
      aria-label={`Stop ${answererOf(mention)}`}
      data-tooltip="Stop (Esc)"
      className="-my-1 ms-auto shrink-0 bg-raised shadow-sm"
      onClick={stopReply}
    >
      Stop
    </Button>
  );
}

/** As high as a line of text, which takes its place. */
function Thinking() {
  return (
    <p className="flex items-center gap-2 leading-relaxed text-muted">
      Thinking
      <span aria-hidden className="inline-flex gap-1">
        <Dot />
        <Dot className="[animation-delay:150ms]" />
        <Dot className="[animation-delay:300ms]" />
      </span>
    </p>
  );
}

function Dot({ className = '' }: { className?: string }) {
  return (
    <span
      className={`size-1.5 rounded-full bg-muted motion-safe:animate-bounce motion-reduce:opacity-70 ${className}`}
    />
  );
}
