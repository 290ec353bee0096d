import { CircleStop } from 'lucide-react';
import { Button } from '../../../ui/controls/button.tsx';
import { toastError } from '../../../ui/layers/toast.tsx';
import type { Stoppable } from '../list/rows.ts';
import { useSession } from '../session-context.ts';

/** Stops what is being written, from where one writes. */
export function StopAnswers({ replies }: { replies: readonly Stoppable[] }) {
  const { messages } = useSession();
  const count = replies.length;
  return (
    <Button
      size="small"
      icon={CircleStop}
      aria-label={count === 1 ? 'Stop the answer' : `Stop ${count} answers`}
      data-tooltip="Stop (Esc)"
      onClick={() => {
        for (const { questionId, mention } of replies) {
          messages.stopReply(questionId, mention).catch(toastError);
        }
      }}
    >
      Stop
    </Button>
  );
}
